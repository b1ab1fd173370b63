--TEST--
proc_close() and the destruction of a process handle end the reads from its pipes
--FILE--
<?php
use function Async\{await, delay, spawn};

function start_cat(): array
{
    $process = proc_open(['cat'], [['pipe', 'r'], ['pipe', 'w']], $pipes);
    return [$process, $pipes, spawn(fn () => @fgets($pipes[1]))];
}
[$process, $pipes, $reader] = start_cat();
fwrite($pipes[0], "a line\n");
echo await($reader);
$reader = spawn(fn () => @fgets($pipes[1]));
delay(1);
var_dump(proc_close($process), await($reader));

[$process, $pipes, $reader] = start_cat();
delay(1);
unset($process);
var_dump(await($reader));
try {
    fgets($pipes[1]);
} catch (TypeError $error) {
    echo $error->getMessage(), "\n";
}

// A stream with a filter that does not suspend.
[$process, $pipes, $reader] = start_cat();
stream_filter_append($pipes[1], 'string.toupper', STREAM_FILTER_READ);
delay(1);
var_dump(proc_close($process), await($reader));

// A read whose filter suspends cannot be ended by another coroutine.
class Slow extends php_user_filter
{
    public function filter($in, $out, &$consumed, bool $closing): int
    {
        while ($bucket = stream_bucket_make_writeable($in)) {
            $GLOBALS['is_in_filter'] = true;
            delay(20);
            $consumed += $bucket->datalen;
            stream_bucket_append($out, $bucket);
        }
        return PSFS_PASS_ON;
    }
}
stream_filter_register('slow', Slow::class);
[$process, $pipes, $reader] = start_cat();
stream_filter_append($pipes[1], 'slow', STREAM_FILTER_READ);
fwrite($pipes[0], "filtered\n");
while (!isset($is_in_filter)) delay(1);
try {
    proc_close($process);
} catch (Async\AsyncException $error) {
    echo preg_replace('~#\d+~', '#N', $error->getMessage()), "\n";
}
fclose($pipes[0]);
echo await($reader);
?>
--EXPECTF--
a line
int(0)
bool(false)
bool(false)
fgets(): supplied resource is not a valid stream resource
int(0)
bool(false)
proc_close(): Pipe is in use by coroutine #N (process_close_ends_pipe_readers.php:%d); only one coroutine may use it at a time
filtered
