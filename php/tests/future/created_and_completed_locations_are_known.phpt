--TEST--
FutureState and Future know the locations of creation and completion
--FILE--
<?php
use Async\{Future, FutureState};
$state = new FutureState();
$future = new Future($state);
foreach ([$state, $future] as $object) {
    var_dump(basename($object->getCreatedFileAndLine()[0]), $object->getCreatedFileAndLine()[1]);
    var_dump($object->getCompletedFileAndLine(), $object->getCompletedLocation());
}
$state->complete(1);
foreach ([$state, $future] as $object) {
    var_dump($object->getCompletedFileAndLine()[1], basename($object->getCompletedLocation()), basename($object->getCreatedLocation()));
}
$future->ignore();
?>
--EXPECTF--
string(45) "created_and_completed_locations_are_known.php"
int(3)
array(2) {
  [0]=>
  NULL
  [1]=>
  int(0)
}
string(7) "unknown"
string(45) "created_and_completed_locations_are_known.php"
int(3)
array(2) {
  [0]=>
  NULL
  [1]=>
  int(0)
}
string(7) "unknown"
int(9)
string(47) "created_and_completed_locations_are_known.php:9"
string(47) "created_and_completed_locations_are_known.php:3"
int(9)
string(47) "created_and_completed_locations_are_known.php:9"
string(47) "created_and_completed_locations_are_known.php:3"
