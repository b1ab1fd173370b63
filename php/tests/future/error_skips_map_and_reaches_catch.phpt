--TEST--
An error skips map() and reaches catch(); a value skips catch()
--FILE--
<?php
use Async\{Future, FutureState};
use function Async\await;
$state = new FutureState();
$r = (new Future($state))
    ->map(function ($v) { echo "never\n"; return $v; })
    ->catch(fn(Throwable $e) => "rescued: " . $e->getMessage())
    ->catch(function ($e) { echo "never\n"; });
$state->error(new RuntimeException("source"));
var_dump(await($r));
?>
--EXPECT--
string(15) "rescued: source"
