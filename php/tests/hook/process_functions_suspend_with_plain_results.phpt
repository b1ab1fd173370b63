--TEST--
exec, shell_exec, system, passthru, proc_open and popen suspend and return the results of plain PHP
--FILE--
<?php
require __DIR__ . '/support.inc';

$plain = [exec('printf "a\nb\n"; exit 3', $lines, $code), $lines, $code, shell_exec('echo text'), shell_exec('exit 1')];
$lines = [];
$async = run_beside_other('exec', function () use (&$lines, &$code) {
    $last = exec('sleep 0.05; printf "a\nb\n"; exit 3', $lines, $code);
    return [$last, $lines, $code];
});
$async[] = run_beside_other('shell_exec', fn () => shell_exec('sleep 0.05; echo text'));
$async[] = run_beside_other('shell_exec without output', fn () => shell_exec('sleep 0.05; exit 1'));
var_dump($async === $plain);
run_beside_other('system', fn () => system('sleep 0.05; echo from system', $code));
run_beside_other('passthru', fn () => passthru('sleep 0.05; echo from passthru'));
var_dump(run_beside_other('proc_open', function () {
    $process = proc_open(['sh', '-c', 'read word; sleep 0.05; echo "got $word"; exit 7'], [['pipe', 'r'], ['pipe', 'w']], $pipes);
    fwrite($pipes[0], "it\n");
    return [stream_get_contents($pipes[1]), proc_close($process)];
}));
var_dump(run_beside_other('popen', function () {
    $pipe = popen('sleep 0.05; exit 4', 'r');
    return pclose($pipe);
}));
?>
--EXPECT--
exec: begin other end
shell_exec: begin other end
shell_exec without output: begin other end
bool(true)
from system
system: begin other end
from passthru
passthru: begin other end
proc_open: begin other end
array(2) {
  [0]=>
  string(7) "got it
"
  [1]=>
  int(7)
}
popen: begin other end
int(4)
