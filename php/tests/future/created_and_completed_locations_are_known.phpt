--TEST--
Both objects know where the future was made and completed
--FILE--
<?php
use Async\{Future, FutureState};
$state = new FutureState();
$future = new Future($state);
foreach ([$state, $future] as $one) {
    var_dump(basename($one->getCreatedFileAndLine()[0]), $one->getCreatedFileAndLine()[1]);
    var_dump($one->getCompletedFileAndLine(), $one->getCompletedLocation());
}
$state->complete(1);
foreach ([$state, $future] as $one) {
    var_dump($one->getCompletedFileAndLine()[1], basename($one->getCompletedLocation()), basename($one->getCreatedLocation()));
}
$future->ignore();
?>
--EXPECTF--
string(19) "places_are_told.php"
int(3)
array(2) {
  [0]=>
  NULL
  [1]=>
  int(0)
}
string(7) "unknown"
string(19) "places_are_told.php"
int(3)
array(2) {
  [0]=>
  NULL
  [1]=>
  int(0)
}
string(7) "unknown"
int(9)
string(21) "places_are_told.php:9"
string(21) "places_are_told.php:3"
int(9)
string(21) "places_are_told.php:9"
string(21) "places_are_told.php:3"
