--TEST--
SH-08: an FPM worker serves further requests after fatal errors, exceptions and exit in earlier requests
--DESCRIPTION--
not under: asan
--SKIPIF--
<?php if (!glob('/usr/sbin/php-fpm*')) die('skip php-fpm is not installed'); ?>
--FILE--
<?php
require __DIR__ . '/child.inc';
$base = sys_get_temp_dir() . '/ta-fpm-' . getmypid();
file_put_contents("$base.php", <<<'PHP'
<?php
use function Async\{spawn, delay, await};
spawn(function () { try { delay(1000); } finally { echo "cleanup "; } });
$case = $_SERVER['QUERY_STRING'];
if ($case === 'fatal') { spawn(function () { delay(1); eval('function twice() {} function twice() {}'); }); delay(1000); }
if ($case === 'memory') { spawn(function () { delay(1); $s = str_repeat('x', 1 << 30); }); delay(1000); }
if ($case === 'throw') { spawn(function () { delay(1); throw new Exception("boom"); }); delay(1000); }
if ($case === 'exit') { spawn(function () { delay(1); echo "exit "; exit; }); delay(1000); }
echo await(spawn(function () { delay(1); return "fine "; })), getmypid() === (int) @file_get_contents(__FILE__ . '.pid') ? 'same ' : 'first ';
file_put_contents(__FILE__ . '.pid', getmypid());
exit;
PHP);
file_put_contents("$base.conf", "[global]\nerror_log=/dev/null\ndaemonize=no\n[www]\nlisten=$base.sock\npm=static\npm.max_children=1\nuser=root\n");
$command = [glob('/usr/sbin/php-fpm*')[0], '-n', '-R', '-F', '-y', "$base.conf", '-d', 'html_errors=0', '-d', 'display_errors=1', '-d', 'memory_limit=64M', '-d', 'extension=' . extension_path()];
$process = proc_open($command, [['pipe', 'r'], ['file', '/dev/null', 'w'], ['file', '/dev/null', 'w']], $pipes);
function send_request(string $socket, string $script, string $query): string {
    for ($i = 0; $i < 200 && !($c = @stream_socket_client("unix://$socket")); $i++) usleep(20000);
    $record = fn(int $type, string $content) => pack('CCnnCx', 1, $type, 1, strlen($content), 0) . $content;
    $parameters = '';
    foreach (['SCRIPT_FILENAME' => $script, 'REQUEST_METHOD' => 'GET', 'QUERY_STRING' => $query] as $name => $value) {
        $parameters .= chr(strlen($name)) . chr(strlen($value)) . $name . $value;
    }
    fwrite($c, $record(1, pack('nCx5', 1, 0)) . $record(4, $parameters) . $record(4, '') . $record(5, ''));
    $body = '';
    while (($head = fread($c, 8)) !== '' && strlen($head) === 8) {
        $h = unpack('Cv/Ctype/nid/nlength/Cpadding', $head);
        $content = $h['length'] ? stream_get_contents($c, $h['length']) : '';
        if ($h['padding']) stream_get_contents($c, $h['padding']);
        if ($h['type'] === 6) $body .= $content;
        if ($h['type'] === 3) break;
    }
    return explode("\r\n\r\n", $body, 2)[1];
}
foreach (['ok', 'fatal', 'ok', 'fatal', 'memory', 'throw', 'exit', 'ok'] as $case) {
    echo $case, ': ', trim(preg_replace('~\s+~', ' ', preg_replace('~ in /\S+~', '', send_request("$base.sock", "$base.php", $case)))), "\n";
}
proc_terminate($process, 15);
proc_close($process);
array_map('unlink', glob("$base*"));
--EXPECTF--
ok: fine first cleanup
fatal: %AFatal error: Cannot redeclare %Stwice() (previously declared%s
ok: fine same cleanup
fatal: %AFatal error: Cannot redeclare %Stwice() (previously declared%s
memory: %AFatal error: Allowed memory size of 67108864 bytes exhausted%s
throw: cleanup %AFatal error: Uncaught Exception: boom%s
exit: exit cleanup
ok: fine same cleanup
