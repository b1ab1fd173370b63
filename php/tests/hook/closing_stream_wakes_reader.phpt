--TEST--
A reader of a stream that another coroutine closes returns false before the stream is destroyed
--DESCRIPTION--
also under: valgrind
--FILE--
<?php
use function Async\{await, delay, spawn};

[$left, $right] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$reader = spawn(function () use ($right) { var_dump(@fgets($right)); });
delay(5);
var_dump(fclose($right));
await($reader);
try {
    fread($right, 1);
} catch (TypeError $error) {
    echo $error->getMessage(), "\n";
}

$pipe = popen('sleep 0.2', 'r');
$reader = spawn(function () use ($pipe) { var_dump(@fgets($pipe)); });
delay(5);
var_dump(pclose($pipe));
await($reader);
?>
--EXPECTF--
bool(false)
bool(true)
fread(): supplied resource is not a valid stream resource
bool(false)
int(%d)
