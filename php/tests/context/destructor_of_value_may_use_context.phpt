--TEST--
The destructor of a replaced or unset value may use the context
--FILE--
<?php
use Async\{Context, ContextException, Scope, AsyncException};
use function Async\{current_context, coroutine_context, root_context, request_context, spawn, await, suspend, delay, iterate};
class V { function __destruct() { var_dump(current_context()->find('v')); current_context()->set('from the destructor', 1, true); } }
current_context()->set('v', new V);
current_context()->set('v', 'new', replace: true);
current_context()->set('w', new V)->unset('w');
var_dump(current_context()->get('from the destructor'));
?>
--EXPECT--
string(3) "new"
string(3) "new"
int(1)
