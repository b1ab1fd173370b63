--TEST--
A command runs to its end after its future is destroyed
--FILE--
<?php
use function Async\{exec, delay};
$file = tempnam(sys_get_temp_dir(), "ta");
exec("sleep 0.02; echo written > $file")->ignore();
while (trim(file_get_contents($file)) !== "written") delay(2);
echo "written\n";
unlink($file);
?>
--EXPECT--
written
