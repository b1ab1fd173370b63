--TEST--
A pending signal future does not keep the program alive
--FILE--
<?php
$f = Async\signal(Async\Signal::SIGUSR1)->ignore();
echo "end\n";
?>
--EXPECT--
end
