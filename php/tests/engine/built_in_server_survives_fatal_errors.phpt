--TEST--
SH-08: php -S serves further requests after fatal errors, exceptions and exit in earlier requests
--DESCRIPTION--
not under: asan
--FILE--
<?php
require __DIR__ . '/child.inc';
$router = tempnam(sys_get_temp_dir(), 'ta');
file_put_contents($router, <<<'PHP'
<?php
use function Async\{spawn, delay, await};
spawn(function () { try { delay(1000); } finally { echo "cleanup "; } });
if ($_GET['case'] === 'fatal') { spawn(function () { delay(1); eval('function twice() {} function twice() {}'); }); delay(1000); }
if ($_GET['case'] === 'throw') { spawn(function () { delay(1); throw new Exception("boom"); }); delay(1000); }
if ($_GET['case'] === 'exit') { spawn(function () { delay(1); echo "exit "; exit; }); delay(1000); }
echo await(spawn(function () { delay(1); return "fine "; }));
exit;
PHP);
$socket = stream_socket_server('tcp://127.0.0.1:0');
$name = stream_socket_get_name($socket, false);
fclose($socket);
$process = proc_open([PHP_BINARY, '-n', '-d', 'html_errors=0', '-d', 'extension=' . extension_path(), '-S', $name, $router], [['pipe', 'r'], ['file', '/dev/null', 'w'], ['file', '/dev/null', 'w']], $pipes);
for ($i = 0; $i < 200 && !($c = @stream_socket_client("tcp://$name")); $i++) usleep(20000);
fclose($c);
foreach (['fatal', 'ok', 'fatal', 'throw', 'exit', 'ok'] as $case) {
    $body = file_get_contents("http://$name/?case=$case", false, stream_context_create(['http' => ['ignore_errors' => true]]));
    echo $case, ': ', trim(preg_replace('~\s+~', ' ', preg_replace('~ in /\S+~', '', $body))), "\n";
}
proc_terminate($process, 9);
unlink($router);
--EXPECTF--
fatal: Fatal error: Cannot redeclare %Stwice() (previously declared%s
ok: fine cleanup
fatal: Fatal error: Cannot redeclare %Stwice() (previously declared%s
throw: cleanup Fatal error: Uncaught Exception: boom%s
exit: exit cleanup
ok: fine cleanup
