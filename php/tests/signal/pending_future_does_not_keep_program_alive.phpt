--TEST--
A future that still waits does not keep the program from ending
--FILE--
<?php
$f = Async\signal(Async\Signal::SIGUSR1)->ignore();
echo "end\n";
?>
--EXPECT--
end
