--TEST--
cwd and env apply to the command; without env it inherits the environment
--FILE--
<?php
use function Async\{exec, await};
putenv("PARENT=inherited");
echo await(exec("pwd", cwd: "/"))[0], "\n";
echo await(exec("echo \$A-\$B-\$PARENT", env: ["A" => 1, "B=two"]))[0], "\n";
echo await(exec("echo \$PARENT"))[0], "\n";
echo await(exec("echo [\$PARENT]", env: []))[0], "\n";
?>
--EXPECT--
/
1-two-
inherited
[]
