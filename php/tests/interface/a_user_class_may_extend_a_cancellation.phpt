--TEST--
A class of the program may extend Cancellation and AsyncCancellation, and override its text
--FILE--
<?php
class Mine extends Async\AsyncCancellation
{
    public int $extra = 5;
    public function __toString(): string { return 'mine'; }
}
try {
    throw new Mine('text', 3);
} catch (Cancellation $e) {
    echo $e, ' ', $e->getMessage(), ' ', $e->getCode(), ' ', $e->extra, ' ', count($e->getTrace()), "\n";
}
class Direct extends Cancellation {}
try {
    throw new Direct();
} catch (Throwable $e) {
    echo get_class($e), ' ', $e->getMessage() === '' ? 'empty' : 'text', ' ', basename($e->getFile()) === basename(__FILE__) ? 'here' : 'elsewhere', "\n";
}
?>
--EXPECT--
mine text 3 5 0
Direct empty here
