--TEST--
From PHP 8.4 on, property hooks, lazy object initializers and frameless function calls may suspend
--SKIPIF--
<?php if (PHP_VERSION_ID < 80400) die('skip property hooks and lazy objects need PHP 8.4');
--FILE--
<?php
use function Async\{await, await_all_or_fail, delay, spawn, suspend};
// Earlier versions compile this file too, and hooks are a syntax error for them.
eval('class Slow {
    public string $name = "none" {
        get { suspend_twice(); return $this->name; }
        set { suspend_twice(); $this->name = strtoupper($value); }
    }
}');
function suspend_twice(): void { suspend(); suspend(); }
function run_concurrently(callable ...$calls): string {
    return json_encode(await_all_or_fail(array_map(spawn(...), $calls)));
}

$slow = new Slow;
echo run_concurrently(fn() => $slow->name = 'a', fn() => $slow->name = 'b', fn() => $slow->name), " {$slow->name}\n";

class Big { public array $data = []; }
$class = new ReflectionClass(Big::class);
$ghost = $class->newLazyGhost(function (Big $object) { suspend_twice(); $object->data = ['ghost']; });
$proxy = $class->newLazyProxy(function () { suspend_twice(); $object = new Big; $object->data = ['proxy']; return $object; });
echo run_concurrently(fn() => $ghost->data, fn() => $proxy->data), "\n";
// A cancelled initialization leaves the object lazy: the next access initializes it.
$ghost = $class->newLazyGhost(function (Big $object) { static $calls = 0; if (!$calls++) delay(60000); $object->data = ['again']; });
$first = spawn(fn() => $ghost->data);
delay(1);
$first->cancel();
try { await($first); } catch (Async\AsyncCancellation) {}
var_dump($class->isUninitializedLazyObject($ghost));
echo run_concurrently(fn() => $ghost->data), "\n";

class Text {
    public function __construct(private string $text) {}
    public function __toString(): string { suspend_twice(); gc_collect_cycles(); return $this->text; }
}
spl_autoload_register(function (string $name) { suspend_twice(); eval("class $name {}"); });
echo run_concurrently(
    fn() => \class_exists('One'), fn() => \class_exists('One'),
    fn() => \implode(',', [new Text('a'), new Text('b')]),
    fn() => \str_contains(new Text('abc'), new Text('b')),
    fn() => \strtr('abc', ['a' => new Text('z')]),
    fn() => \preg_replace(new Text('/b/'), new Text('q'), new Text('abc')),
    fn() => \in_array('x', [new Text('y'), new Text('x')]),
), "\n";
spawn(function () {
    try { array_map(exit(...), ["exit as a function\n"]); } finally { echo "not reached\n"; }
});
delay(60000);
--EXPECT--
["a","b","B"] B
[["ghost"],["proxy"]]
bool(true)
[["again"]]
[true,true,"a,b",true,"zbc","aqc",true]
exit as a function
