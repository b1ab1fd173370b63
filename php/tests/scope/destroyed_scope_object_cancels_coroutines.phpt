--TEST--
SC-03: destroying the Scope object cancels its running coroutines
--FILE--
<?php
use Async\{Scope, AsyncCancellation, AsyncException, CompositeException, OperationCanceledException, Coroutine};
use function Async\{spawn, await, suspend, delay, timeout, protect, current_coroutine};
class Service {
    private Scope $scope;
    function __construct() { $this->scope = new Scope(); }
    function start(): Coroutine {
        return $this->scope->spawn(static function () { try { delay(60000); } catch (AsyncCancellation) { echo "cancelled\n"; } });
    }
}
$service = new Service();
$c = $service->start();
suspend();
unset($service);
await($c);
echo "end\n";
?>
--EXPECT--
cancelled
end
