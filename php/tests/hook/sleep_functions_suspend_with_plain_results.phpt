--TEST--
sleep, usleep, time_nanosleep and time_sleep_until suspend and return the results of plain PHP
--FILE--
<?php
require __DIR__ . '/support.inc';
var_dump(run_beside_other('sleep', fn () => sleep(1)));
var_dump(run_beside_other('usleep', fn () => usleep(2000)));
var_dump(run_beside_other('time_nanosleep', fn () => time_nanosleep(0, 2_000_000)));
var_dump(run_beside_other('time_sleep_until', fn () => time_sleep_until(microtime(true) + 0.01)));
?>
--EXPECT--
sleep: begin other end
int(0)
usleep: begin other end
NULL
time_nanosleep: begin other end
bool(true)
time_sleep_until: begin other end
bool(true)
