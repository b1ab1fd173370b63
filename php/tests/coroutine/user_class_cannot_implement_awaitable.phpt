--TEST--
A class written in PHP cannot implement Awaitable
--FILE--
<?php
class UserAwaitable implements Async\Awaitable {}
--EXPECTF--

Fatal error: Class UserAwaitable cannot implement interface Async\Awaitable; use Async\Future with Async\FutureState in %s on line %d
