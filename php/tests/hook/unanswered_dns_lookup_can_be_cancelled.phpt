--TEST--
R2: an unanswered DNS lookup can be cancelled; the next lookup works, and the process ends in time
--SKIPIF--
<?php
if (trim((string) shell_exec('id -u')) !== '0') die('skip needs root to mount a resolv.conf and to use port 53');
exec('unshare -m true 2>/dev/null', $output, $code);
if ($code !== 0) die('skip a mount namespace cannot be created');
--FILE--
<?php
require __DIR__ . '/../engine/child.inc';

// Receives queries and never answers.
$silent = stream_socket_server('udp://127.0.0.77:53', $error, $text, STREAM_SERVER_BIND);
$configuration = tempnam(sys_get_temp_dir(), 'trueasync-resolv-');
file_put_contents($configuration, "nameserver 127.0.0.77\noptions timeout:30 attempts:5\n");
$script = <<<'PHP'
use function Async\{await, delay, spawn};
$calls = [
    'gethostbyname' => fn () => gethostbyname('never.answered.test'),
    'stream' => fn () => @stream_socket_client('tcp://never.answered.test:80', $code, $text, 30),
    'dns_get_record' => fn () => @dns_get_record('never.answered.test', DNS_A),
];
foreach ($calls as $name => $call) {
    $lookup = spawn(function () use ($name, $call) {
        try {
            $call();
            echo "$name returned\n";
        } catch (Cancellation $cancellation) {
            echo "$name: ", $cancellation::class, "\n";
        }
    });
    delay(20);
    $lookup->cancel();
    await($lookup);
}
echo await(spawn(fn () => gethostbyname('localhost'))), "\n";
PHP;
$php = array_map(escapeshellarg(...), [PHP_BINARY, '-n', '-d', 'extension=' . extension_path(), '-r', $script]);
$started = hrtime(true);
passthru("unshare -m sh -c " . escapeshellarg("mount --bind $configuration /etc/resolv.conf && exec " . implode(' ', $php)));
echo (hrtime(true) - $started) / 1e9 < 20 ? "in time\n" : "too slow\n";
unlink($configuration);
?>
--EXPECT--
gethostbyname: Async\AsyncCancellation
stream: Async\AsyncCancellation
dns_get_record: Async\AsyncCancellation
127.0.0.1
in time
