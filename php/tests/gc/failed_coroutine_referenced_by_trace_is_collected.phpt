--TEST--
GC-01: a failed coroutine whose exception refers back to it by its trace is collected; an error nobody took is told then
--INI--
zend.exception_ignore_args=0
--FILE--
<?php
use function Async\{spawn, await, delay};
class Holder {
    public $coroutine;
    function __construct(public string $name) {}
    function __destruct() { echo "gone: $this->name\n"; }
}
function fail(Holder $holder) { throw new Exception($holder->name); }
function taken() {
    $holder = new Holder('taken');
    $holder->coroutine = spawn('fail', $holder);
    try { await($holder->coroutine); } catch (Exception $e) { echo 'caught ', $e->getMessage(), "\n"; }
}
taken();
delay(1);
var_dump(gc_collect_cycles() > 0);

$scope = new Async\Scope;
$scope->setExceptionHandler(function ($scope, $coroutine, $e) { echo 'handler: ', $e->getMessage(), "\n"; });
(function () use ($scope) {
    $holder = new Holder('told');
    $holder->coroutine = $scope->spawn(fail(...), $holder);
})();
delay(1);
echo "not told yet\n";
gc_collect_cycles();
gc_collect_cycles();
delay(1);
echo "end\n";
--EXPECT--
caught taken
gone: taken
bool(true)
not told yet
handler: told
gone: told
end
