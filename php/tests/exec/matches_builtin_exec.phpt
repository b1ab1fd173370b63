--TEST--
PR-05: last line and exit code equal those of PHP's built-in exec()
--FILE--
<?php
foreach (["echo x", "printf \"a\nb\n\n\"", "printf \"tab\t \n\"", "printf \"no end\"", "printf \"  lead\r\n\"", "exit 7", "nosuch_command_zz 2>/dev/null"] as $c) {
    $code = null;
    $line = exec($c, $lines, $code);
    [$async_line, $status] = Async\await(Async\exec($c));
    var_dump($async_line === $line && $status === $code);
}
?>
--EXPECT--
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
bool(true)
