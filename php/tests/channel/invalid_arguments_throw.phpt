--TEST--
Wrong arguments, a second constructor call, clone and iteration by reference throw
--FILE--
<?php
use Async\Channel;
$ch = new Channel(1);
foreach ([
    fn() => new Channel(-1), fn() => new Channel(0, -1), fn() => new Channel(0, 0, -5), fn() => $ch->__construct(1),
    fn() => clone $ch, fn() => $ch->recv(5), fn() => $ch->send(1, 5), fn() => Async\await($ch),
    function () use ($ch) { foreach ($ch as &$v); }, fn() => Async\await(Async\Future::completed(1)->ignore(), $ch),
] as $call) {
    try { $call(); echo "no error\n"; } catch (Throwable $e) { echo get_class($e), ": ", $e->getMessage(), "\n"; }
}
?>
--EXPECT--
ValueError: Async\Channel::__construct(): Argument #1 ($capacity) must be greater than or equal to 0
ValueError: Async\Channel::__construct(): Argument #2 ($noProducerTimeout) must be greater than or equal to 0
ValueError: Async\Channel::__construct(): Argument #3 ($noConsumerTimeout) must be greater than or equal to 0
Async\AsyncException: Cannot call Async\Channel::__construct() twice
Error: Trying to clone an uncloneable object of class Async\Channel
TypeError: Async\Channel::recv(): Argument #1 ($cancellationToken) must be of type ?Async\Completable, int given
TypeError: Async\Channel::send(): Argument #2 ($cancellationToken) must be of type ?Async\Completable, int given
TypeError: Async\await(): Argument #1 ($awaitable) must be of type Async\Completable, Async\Channel given
Error: An iterator cannot be used with foreach by reference
TypeError: Async\await(): Argument #2 ($cancellation) must be of type ?Async\Completable, Async\Channel given
