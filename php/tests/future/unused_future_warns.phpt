--TEST--
An unused future emits a warning unless ignored
--FILE--
<?php
use Async\{Future, FutureState};
$state = new FutureState();
$future = new Future($state);
unset($future);
$future = new Future($state);
var_dump($future->ignore() === $future);
unset($future);
Future::completed(1)->map(fn($x) => $x);
echo "end\n";
?>
--EXPECTF--

Warning: Future was never used; call await(), map(), catch(), finally() or ignore() to suppress this warning. Created at %sunused_future_warns.php:3 in %s on line 5
bool(true)

Warning: Future was never used; call await(), map(), catch(), finally() or ignore() to suppress this warning. Created at %sunused_future_warns.php:9 in %s on line 9
end
