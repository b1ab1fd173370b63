--TEST--
spawn() accepts every kind of callable and named arguments
--FILE--
<?php
use function Async\{spawn, await};
class K { function m($a, $b = 'd') { return "$a$b"; } static function s(...$x) { return implode(',', array_keys($x)) . implode($x); } function __invoke($x) { return "i$x"; } private function hidden() { return 'h'; } function go() { return spawn([$this, 'hidden']); } function __call($n, $a) { return "$n()"; } }
$k = new K;
foreach ([spawn([$k, 'm'], 'x'), spawn([$k, 'm'], b: '1', a: '2'), spawn('K::s', 1, q: 2), spawn($k, 5), spawn(strrev(...), 'abc'), $k->go(), spawn([$k, 'magic'], 1)] as $c) echo await($c), "\n";
--EXPECT--
xd
21
0,q12
i5
cba
h
magic()
