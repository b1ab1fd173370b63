--TEST--
CA-02: neither catch (Exception) nor catch (Error) catches a cancellation
--FILE--
<?php
use function Async\{spawn, suspend, await, delay};
$c = spawn(function () {
    try { delay(1000); } catch (Exception $e) { echo "wrong\n"; } catch (Error $e) { echo "wrong\n"; } finally { echo "finally\n"; }
});
suspend();
$c->cancel();
try { await($c); } catch (Throwable $e) { var_dump($e instanceof Cancellation); }
--EXPECT--
finally
bool(true)
