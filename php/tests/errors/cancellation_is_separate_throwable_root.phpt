--TEST--
\Cancellation is a Throwable beside Exception and Error and can be extended
--FILE--
<?php
class CustomCancellation extends Async\AsyncCancellation { public function __construct(public int $extra) { parent::__construct("text", 5, new Exception("before")); } }
try { throw new CustomCancellation(7); } catch (Exception | Error $e) { echo "wrong\n"; } catch (Cancellation $e) {
    var_dump($e instanceof Throwable, $e->getMessage(), $e->getCode(), $e->getPrevious()->getMessage(), $e->extra, basename($e->getFile()), $e->getLine(), $e->getTraceAsString());
}
echo get_parent_class(Async\AsyncCancellation::class), " ", get_parent_class(Async\OperationCanceledException::class), "\n";
throw new Cancellation("uncaught");
--EXPECTF--
bool(true)
string(4) "text"
int(5)
string(6) "before"
int(7)
string(%d) "cancellation_is_separate_throwable_root.php"
int(3)
string(9) "#0 {main}"
Cancellation Async\AsyncCancellation

Fatal error: Uncaught Cancellation: uncaught in %s:%d
Stack trace:
#0 {main}
  thrown in %s on line %d
