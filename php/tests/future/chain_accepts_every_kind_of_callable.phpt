--TEST--
map() accepts function names, static and private methods, invokables and magic methods
--FILE--
<?php
use Async\Future;
use function Async\await;
class K {
    private function hidden($x) { return "hidden $x"; }
    static function st($x) { return "static $x"; }
    function __call($n, $a) { return "$n $a[0]"; }
    function __invoke($x) { return "invoked $x"; }
    function run() { return Future::completed(1)->map([$this, "hidden"]); }
}
$k = new K;
foreach ([$k->run(), Future::completed(" 2 ")->map("trim"), Future::completed(3)->map("K::st"), Future::completed(4)->map($k),
    Future::completed(5)->map([$k, "magic"]), Future::completed(6)->map($k->other(...))] as $f) echo await($f), "\n";
$never = (new Future(new Async\FutureState))->map([$k, "unused"])->ignore();
?>
--EXPECT--
hidden 1
2
static 3
invoked 4
magic 5
other 6
