--TEST--
cpu_usage() returns zeros first, then the usage since the previous call
--FILE--
<?php
$first = Async\cpu_usage();
var_dump($first["process_cores"], $first["interval_sec"], array_keys($first));
$end = hrtime(true) + 20_000_000;
while (hrtime(true) < $end);
$second = Async\cpu_usage();
var_dump($second["process_cores"] > 0, $second["interval_sec"] >= 0.02, $second["process_percent"] <= 100, $second["system_percent"] <= 100,
    $second["cpu_count"] >= 1, count($second["loadavg"]));
?>
--EXPECT--
float(0)
float(0)
array(6) {
  [0]=>
  string(13) "process_cores"
  [1]=>
  string(15) "process_percent"
  [2]=>
  string(14) "system_percent"
  [3]=>
  string(9) "cpu_count"
  [4]=>
  string(12) "interval_sec"
  [5]=>
  string(7) "loadavg"
}
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
int(3)
