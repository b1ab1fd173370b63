--TEST--
A fatal error in a callback in another coroutine ends the program with an orderly shutdown
--FILE--
<?php
use function Async\{iterate, suspend, delay};
iterate([1, 2, 3], function ($v) {
    if ($v !== 3) delay(60000);
    suspend();
    eval('function twice() {} function twice() {}');
});
echo "never\n";
?>
--EXPECTF--
%AFatal error: Cannot redeclare %Stwice() %s
