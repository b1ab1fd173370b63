--TEST--
Exceptions have the parent classes of the interface; Cancellation is neither an Error nor an Exception
--FILE--
<?php
foreach (['AsyncCancellation', 'OperationCanceledException', 'DeadlockError', 'AsyncException', 'ServiceUnavailableException',
    'ChannelException', 'PoolException', 'ContextException', 'InputOutputException', 'DnsException', 'TimeoutException',
    'PollException', 'CompositeException'] as $name) {
    echo $name, ': ', implode(' ', class_parents('Async\\' . $name)), "\n";
}
var_dump(is_a('Cancellation', 'Throwable', true), is_a('Cancellation', 'Exception', true), is_a('Cancellation', 'Error', true));
try {
    throw new Cancellation('stop', 7, new Exception('because'));
} catch (Exception | Error) {
    echo 'wrong';
} catch (Throwable $cancellation) {
    echo $cancellation->getMessage(), ' ', $cancellation->getCode(), ' ', $cancellation->getPrevious()->getMessage(), ' ',
        $cancellation->getLine(), "\n";
}
?>
--EXPECT--
AsyncCancellation: Cancellation
OperationCanceledException: Async\AsyncCancellation Cancellation
DeadlockError: Error
AsyncException: Exception
ServiceUnavailableException: Async\AsyncException Exception
ChannelException: Async\AsyncException Exception
PoolException: Async\AsyncException Exception
ContextException: Async\AsyncException Exception
InputOutputException: Exception
DnsException: Exception
TimeoutException: Exception
PollException: Exception
CompositeException: Exception
bool(true)
bool(false)
bool(false)
stop 7 because 9
