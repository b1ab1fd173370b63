--TEST--
A private method that its class names is a callback in every coroutine, and a handler
--FILE--
<?php
use Async\Scope;
use function Async\{iterate, suspend};
class A {
    private $begun = 0;
    private function each($v) { ++$this->begun; while ($this->begun < 2) suspend(); echo "each\n"; }
    private static function hear($e) { echo "heard ", $e->getMessage(), "\n"; }
    function go() {
        iterate([1, 2], [$this, 'each']);
        $scope = new Scope();
        $scope->setExceptionHandler([self::class, 'hear']);
        $scope->spawn(function () { throw new Exception("x"); });
        $scope->awaitCompletion();
    }
}
(new A)->go();
?>
--EXPECT--
each
each
heard x
