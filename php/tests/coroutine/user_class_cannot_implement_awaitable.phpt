--TEST--
A class written in PHP cannot implement Awaitable
--FILE--
<?php
class UserAwaitable implements Async\Awaitable {}
--EXPECTF--

Fatal error: Class UserAwaitable cannot implement Async\Awaitable: use Async\Future with a FutureState instead in %s on line %d
