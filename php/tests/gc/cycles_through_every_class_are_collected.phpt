--TEST--
GC-01: cycles through pools, scopes, contexts, groups, channels, futures and timeouts are collected
--FILE--
<?php
use Async\{Channel, Future, FutureState, Pool, Scope, TaskGroup, TaskSet};
use function Async\{spawn, await, coroutine_context, current_context, timeout};
class Holder {
    public $held;
    function __construct(public string $name) {}
    function __destruct() { echo "destroyed: $this->name\n"; }
}
$makers = [
    'idle resource' => function (Holder $h) { $p = new Pool(fn() => $h); $h->held = $p; $p->release($p->acquire()); },
    'leased resource' => function (Holder $h) { $p = new Pool(fn() => $h); $h->held = $p; $p->acquire(); },
    'factory of a pool' => function (Holder $h) { $p = new Pool(function () use ($h) { return 1; }); $h->held = $p; $p->acquire(); },
    'handler of a scope' => function (Holder $h) { $h->held = $s = new Scope; $s->setExceptionHandler(function () use ($h) {}); },
    'finally of a scope' => function (Holder $h) { $h->held = $s = new Scope; $s->finally(function () use ($h) {}); },
    'context of a coroutine' => function (Holder $h) { await(spawn(function () use ($h) { coroutine_context()->set('k', $h); $h->held = coroutine_context(); })); },
    'context of a scope' => function (Holder $h) { $s = new Scope; await($s->spawn(function () use ($h) { current_context()->set('k', $h); $h->held = current_context(); })); },
    'result of a group' => function (Holder $h) { $h->held = $g = new TaskGroup; $g->spawn(fn() => $h); Async\suspend(); Async\suspend(); },
    'result of a set' => function (Holder $h) { $h->held = $g = new TaskSet; $g->spawn(fn() => $h); Async\suspend(); Async\suspend(); },
    'value in a channel' => function (Holder $h) { $h->held = $c = new Channel(2); $c->send($h); },
    'link of a future' => function (Holder $h) { $h->held = $s = new FutureState; (new Future($s))->map(fn() => $h)->ignore(); },
    'value of a future' => function (Holder $h) { $h->held = $s = new FutureState; $s->complete($h); $s->ignore(); },
    'error of a future' => function (Holder $h) { $h->held = $s = new FutureState; $e = new Exception; $e->h = $h; $s->error($e); $s->ignore(); },
    'timeout' => function (Holder $h) { $h->held = [$h, timeout(100000)]; },
];
error_reporting(E_ALL & ~E_DEPRECATED);
foreach ($makers as $name => $make) {
    $make(new Holder($name));
    gc_collect_cycles();
    Async\suspend();
    Async\suspend();
}
echo "end\n";
exit;
--EXPECT--
destroyed: idle resource
destroyed: leased resource
destroyed: factory of a pool
destroyed: handler of a scope
destroyed: finally of a scope
destroyed: context of a coroutine
destroyed: context of a scope
destroyed: result of a group
destroyed: result of a set
destroyed: value in a channel
destroyed: link of a future
destroyed: value of a future
destroyed: error of a future
destroyed: timeout
end
