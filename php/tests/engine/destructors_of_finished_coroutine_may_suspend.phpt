--TEST--
Destructors run by the end of a coroutine's context or cancellation may suspend on their own stack
--FILE--
<?php
use function Async\{spawn, suspend, delay, coroutine_context};
class D {
    function __construct(private string $name) {}
    function __destruct() {
        $local = [1, 2, 3];
        for ($i = 0; $i < 3; $i++) suspend();
        echo $this->name, ' ', json_encode($local), "\n";
    }
}
class Reason extends Async\AsyncCancellation { public $d; }
function others() {
    for ($i = 0; $i < 5; $i++) {
        spawn(function () use ($i) { $a = "other$i"; suspend(); $b = str_repeat('z', 50); suspend(); suspend(); });
    }
}
spawn(function () { coroutine_context()->set('k', new D('context')); });
others();
delay(3);
$scope = new Async\Scope;
$scope->spawn(fn() => delay(1000));
suspend();
(function () use ($scope) { $reason = new Reason('x'); $reason->d = new D('cancellation'); $scope->cancel($reason); })();
others();
delay(3);
echo "end\n";
--EXPECT--
context [1,2,3]
cancellation [1,2,3]
end
