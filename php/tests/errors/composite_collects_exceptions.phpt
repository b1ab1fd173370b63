--TEST--
CompositeException collects exceptions
--DESCRIPTION--
also under: valgrind
--FILE--
<?php
$c = new Async\CompositeException("several");
$c->addException(new Exception("a"));
$c->addException(new Error("b"));
foreach ($c->getExceptions() as $e) echo get_class($e), $e->getMessage(), "\n";
try { $c->addException(new stdClass); } catch (TypeError $e) { echo $e->getMessage(), "\n"; }
--EXPECT--
Exceptiona
Errorb
Async\CompositeException::addException(): Argument #1 ($exception) must be of type Throwable, stdClass given
