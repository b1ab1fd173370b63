--TEST--
cwd and env are the command's; without env it has ours
--FILE--
<?php
use function Async\{exec, await};
putenv("OURS=inherited");
echo await(exec("pwd", cwd: "/"))[0], "\n";
echo await(exec("echo \$A-\$B-\$OURS", env: ["A" => 1, "B=two"]))[0], "\n";
echo await(exec("echo \$OURS"))[0], "\n";
echo await(exec("echo [\$OURS]", env: []))[0], "\n";
?>
--EXPECT--
/
1-two-
inherited
[]
