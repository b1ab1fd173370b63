--TEST--
A user class may extend Cancellation and AsyncCancellation and override __toString()
--FILE--
<?php
class CustomCancellation extends Async\AsyncCancellation
{
    public int $extra = 5;
    public function __toString(): string { return 'custom'; }
}
try {
    throw new CustomCancellation('text', 3);
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
custom text 3 5 0
Direct empty here
