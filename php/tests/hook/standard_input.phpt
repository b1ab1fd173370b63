--TEST--
A read of STDIN suspends
--FILE--
<?php
require __DIR__ . '/../engine/child.inc';
$script = <<<'PHP'
use function Async\{await, spawn};
$reader = spawn(function () { while (($line = fgets(STDIN)) !== false) echo "read $line"; echo "no more\n"; });
spawn(function () { echo "another runs\n"; });
await($reader);
PHP;
$command = [PHP_BINARY, '-n', '-d', 'extension=' . extension_path(), '-r', $script];
$process = proc_open($command, [['pipe', 'r'], ['pipe', 'w']], $pipes);
echo fgets($pipes[1]);
fwrite($pipes[0], "one\n");
echo fgets($pipes[1]);
fwrite($pipes[0], "two\n");
fclose($pipes[0]);
echo stream_get_contents($pipes[1]);
?>
--EXPECT--
another runs
read one
read two
no more
