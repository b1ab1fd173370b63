--TEST--
A private method passed by its class works as callback in every coroutine and as exception handler
--FILE--
<?php
use Async\Scope;
use function Async\{iterate, suspend};
class A {
    private $started = 0;
    private function each($v) { ++$this->started; while ($this->started < 2) suspend(); echo "each\n"; }
    private static function handle_error($e) { echo "handled ", $e->getMessage(), "\n"; }
    function go() {
        iterate([1, 2], [$this, 'each']);
        $scope = new Scope();
        $scope->setExceptionHandler([self::class, 'handle_error']);
        $scope->spawn(function () { throw new Exception("x"); });
        $scope->awaitCompletion();
    }
}
(new A)->go();
?>
--EXPECT--
each
each
handled x
