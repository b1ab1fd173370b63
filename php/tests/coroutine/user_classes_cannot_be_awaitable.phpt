--TEST--
A class written in PHP can't implement Awaitable
--FILE--
<?php
class Mine implements Async\Awaitable {}
--EXPECTF--

Fatal error: Class Mine cannot implement Async\Awaitable: use Async\Future with a FutureState instead in %s on line %d
