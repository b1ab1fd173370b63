--TEST--
A read of STDIN suspends only its coroutine
--FILE--
<?php
require __DIR__ . '/../engine/child.inc';
$script = <<<'PHP'
use function Async\{await, spawn};
$reader = spawn(function () { while (($line = fgets(STDIN)) !== false) echo "read $line"; echo "end of file\n"; });
spawn(function () { echo "other coroutine\n"; });
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
other coroutine
read one
read two
end of file
