--TEST--
GC-01: cycles are found while 100,000 coroutines wait, and no other coroutine is affected
--DESCRIPTION--
not under: asan
--INI--
memory_limit=1G
--SKIPIF--
<?php
// Before Linux 6.13 the guard page of a stack is a mapping of its own.
if (version_compare(php_uname('r'), '6.13', '<') && (int) file_get_contents('/proc/sys/vm/max_map_count') < 210_000) {
    die('skip 100,000 stacks need Linux 6.13, or vm.max_map_count of 210000');
}
--FILE--
<?php
use function Async\{spawn, await, suspend, get_coroutines};
class Counted {
    static int $created = 0;
    static int $destroyed = 0;
    public $self;
    public $state;
    function __construct() { self::$created++; }
    function __destruct() { self::$destroyed++; }
}
function until(callable $done) { while (!$done()) suspend(); }
$sum = 0;
$unreachable = function () {
    $unreachable = new Counted;
    $unreachable->self = Async\current_coroutine();
    await(new Async\Future($unreachable->state = new Async\FutureState));
};
$kept = function (Async\Channel $channel) use (&$sum) {
    $local = new Counted;
    $local->self = $local;
    $sum += $channel->recv();
    $local->self = null;
};
$channel = new Async\Channel;
for ($i = 0; $i < 1000; $i++) spawn($unreachable);
for ($i = 0; $i < 100_000; $i++) spawn($kept, $channel);
for ($i = 0; $i < 1000; $i++) spawn($unreachable);
until(fn() => Counted::$created === 102_000);
for ($i = 0; $i < 3; $i++) gc_collect_cycles();
var_dump(Counted::$destroyed);
until(fn() => count(get_coroutines()) <= 100_001);
var_dump(count(get_coroutines()));
await(spawn(function () use ($channel) { for ($i = 0; $i < 100_000; $i++) $channel->send(1); }));
until(fn() => count(get_coroutines()) === 1);
var_dump(Counted::$destroyed, $sum);
--EXPECT--
int(2000)
int(100001)
int(102000)
int(100000)
