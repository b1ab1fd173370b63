--TEST--
Future::completed() and Future::failed() return settled futures
--FILE--
<?php
use Async\Future;
var_dump(Future::completed(7)->await(), Future::completed()->await());
try { Future::failed(new DomainException("bad"))->await(); } catch (DomainException $e) { echo $e->getMessage(), "\n"; }
?>
--EXPECT--
int(7)
NULL
bad
