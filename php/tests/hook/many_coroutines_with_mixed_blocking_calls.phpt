--TEST--
Many coroutines with mixed blocking calls and some cancellations return correct results and leak no coroutine
--DESCRIPTION--
also under: valgrind
--INI--
zend.exception_ignore_args=1
--FILE--
<?php
require __DIR__ . '/support.inc';
use function Async\{await_all, delay, get_coroutines, spawn};

// Fewer under valgrind: some iterations start a process.
$count = (int) (getenv('TRUEASYNC_HOOK_COROUTINES') ?: 200);
[$server, $address] = open_listener();
$acceptor = spawn(function () use ($server) {
    while ($client = stream_socket_accept($server, 3600)) {
        spawn(function () use ($client) {
            while (($line = fgets($client)) !== false) {
                fwrite($client, strrev(rtrim($line)) . "\n");
            }
        });
    }
});
$lock = tempnam(sys_get_temp_dir(), 'trueasync-hook-');
$calls = [
    'sleep' => function () { usleep(mt_rand(0, 2000)); return true; },
    'nanosleep' => fn () => time_nanosleep(0, mt_rand(0, 1_000_000)),
    'echo' => function () use ($address) {
        $socket = stream_socket_client("tcp://$address", $code, $text, 60);
        $word = str_repeat('x', mt_rand(0, 3000)) . mt_rand(1000, 9999);
        fwrite($socket, "$word\n");
        return rtrim((string) fgets($socket)) === strrev($word);
    },
    'pair' => function () {
        [$left, $right] = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
        spawn(function () use ($left) { usleep(500); @fwrite($left, 'later'); });
        return fread($right, 10) === 'later';
    },
    'select' => function () {
        $pair = stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
        [$read, $write, $except] = [[$pair[0]], [$pair[1]], null];
        return stream_select($read, $write, $except, 1) === 1;
    },
    'lock' => function () use ($lock) {
        $file = fopen($lock, 'r+');
        flock($file, LOCK_EX);
        Async\suspend();
        return flock($file, LOCK_UN);
    },
    'name' => fn () => gethostbyname('localhost') === '127.0.0.1',
    'process' => fn () => mt_rand(0, 20) ? true : shell_exec('echo text') === "text\n",
];
mt_srand(7);
$failed = [];
$workers = [];
for ($i = 0; $i < $count; $i++) {
    $workers[] = spawn(function () use ($calls, &$failed) {
        for ($call = 0; $call < 20; $call++) {
            $name = array_rand($calls);
            if ($calls[$name]() !== true) {
                $failed[] = $name;
            }
        }
        return 'completed';
    });
}
delay(5);
for ($i = 0; $i < $count; $i += 10) {
    $workers[$i]->cancel();
}
[$results, $errors] = await_all($workers);
echo count(array_keys($results, 'completed')) + count($errors) === $count ? 'all' : 'some', " finished\n";
echo count($errors) <= $count / 10 ? 'few' : 'many', " were cancelled\n";
echo 'failed: ', implode(', ', array_unique($failed)), "\n";
$acceptor->cancel();
delay(50);
echo count(get_coroutines()), " live\n";
unlink($lock);
?>
--EXPECT--
all finished
few were cancelled
failed: 
1 live
