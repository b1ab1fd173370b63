--TEST--
A read from a socket pair suspends until another coroutine writes; end of file and timeouts work as in plain PHP
--FILE--
<?php
use function Async\{await, spawn};

[$left, $right] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
$reader = spawn(function () use ($right) {
    while (($line = fgets($right)) !== false) {
        echo 'read ', $line;
    }
    var_dump(feof($right));
});
spawn(function () use (&$left) {
    echo "write one\n";
    fwrite($left, "one\n");
    usleep(1000);
    echo "write two\n";
    fwrite($left, "two\n");
    usleep(1000);
    fclose($left);
});
await($reader);

[$left, $right] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
await(spawn(function () use ($right) {
    stream_set_timeout($right, 0, 20_000);
    var_dump(fread($right, 10), stream_get_meta_data($right)['timed_out']);
    stream_set_blocking($right, false);
    var_dump(fread($right, 10));
}));
?>
--EXPECT--
write one
read one
write two
read two
bool(true)
bool(false)
bool(true)
string(0) ""
