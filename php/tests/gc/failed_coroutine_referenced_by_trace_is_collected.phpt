--TEST--
GC-01: a failed coroutine that its exception's trace references is collected; an unobserved error is reported then
--INI--
zend.exception_ignore_args=0
--FILE--
<?php
use function Async\{spawn, await, delay};
class Holder {
    public $coroutine;
    function __construct(public string $name) {}
    function __destruct() { echo "destroyed: $this->name\n"; }
}
function fail(Holder $holder) { throw new Exception($holder->name); }
function observed() {
    $holder = new Holder('observed');
    $holder->coroutine = spawn('fail', $holder);
    try { await($holder->coroutine); } catch (Exception $e) { echo 'caught ', $e->getMessage(), "\n"; }
}
observed();
delay(1);
var_dump(gc_collect_cycles() > 0);

$scope = new Async\Scope;
$scope->setExceptionHandler(function ($scope, $coroutine, $e) { echo 'handler: ', $e->getMessage(), "\n"; });
(function () use ($scope) {
    $holder = new Holder('unobserved');
    $holder->coroutine = $scope->spawn(fail(...), $holder);
})();
delay(1);
echo "not reported yet\n";
gc_collect_cycles();
gc_collect_cycles();
delay(1);
echo "end\n";
--EXPECT--
caught observed
destroyed: observed
bool(true)
not reported yet
handler: unobserved
destroyed: unobserved
end
