--TEST--
The extension is named true_async and does not claim the name async
--FILE--
<?php
var_dump(extension_loaded('true_async'), extension_loaded('async'));
var_dump((new ReflectionExtension('true_async'))->getVersion() !== null);
?>
--EXPECT--
bool(true)
bool(false)
bool(true)
