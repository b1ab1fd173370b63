--TEST--
Concurrent writes to one stream are serialized in FIFO order; no write is interleaved
--FILE--
<?php
use function Async\{await, await_all_or_fail, delay, spawn};

const SIZE = 1 << 20;
foreach (['a pair' => pair(...), 'a pipe' => pipe(...)] as $name => $open) {
    [$in, $out] = $open();
    $writers = [];
    foreach (['a', 'b', 'c', 'd'] as $letter) {
        $writers[$letter] = spawn(fn () => fwrite($out, str_repeat($letter, SIZE)));
    }
    delay(1);
    // A writer that is cancelled while it waits for the lock is skipped.
    $writers['b']->cancel();
    $received = '';
    while (strlen($received) < 3 * SIZE) $received .= fread($in, 65536);
    echo "$name: ", implode(array_map(pieces(...), str_split($received, SIZE))), ' ', implode(' ', array_map(
        fn ($writer) => $writer->isCancelled() ? 'cancelled' : (await($writer) === SIZE ? 'complete' : 'short'), $writers)), "\n";

    // After the last writer the lock is free.
    $writer = spawn(fn () => fwrite($out, str_repeat('e', SIZE)));
    $cancelled = spawn(fn () => fwrite($out, 'never'));
    delay(1);
    $cancelled->cancel();
    $received = '';
    while (strlen($received) < SIZE) $received .= fread($in, 65536);
    fwrite($out, "more\n");
    echo "$name: ", await($writer) === SIZE ? 'complete' : 'short', ' ', fgets($in);

    // Closing the stream ends every write.
    $writers = array_map(fn () => spawn(fn () => @fwrite($out, str_repeat('f', SIZE))), range(1, 20));
    delay(1);
    fclose($out);
    stream_get_contents($in);
    $ends = array_map(function ($writer) {
        try {
            return await($writer) === SIZE ? 'complete' : 'short';
        } catch (TypeError) {
            return 'closed';
        }
    }, $writers);
    echo "$name: ", isset(array_count_values($ends)['complete']) ? 'complete' : 'ended', "\n";
}

// A nested write of the lock holder does not wait, also if other coroutines wait.
class Name
{
    public function __construct(private $stream) {}
    public function __toString(): string { delay(1); fwrite($this->stream, 'first '); return 'then'; }
}
[$in, $out] = pair();
$outer = spawn(fn () => fprintf($out, "%s\n", new Name($out)));
$other = spawn(fn () => fwrite($out, "another\n"));
await($other);
echo fgets($in), fgets($in);

// Two writers are cancelled together.
[$in, $out] = pair();
$writers = [spawn(fn () => fwrite($out, str_repeat('g', SIZE))), spawn(fn () => fwrite($out, 'h'))];
delay(1);
foreach ($writers as $writer) $writer->cancel();
delay(1);
var_dump($writers[0]->isCancelled(), $writers[1]->isCancelled());

function pieces(string $text): string
{
    return $text === str_repeat($text[0], SIZE) ? $text[0] : '(mixed)';
}

function pair(): array
{
    return stream_socket_pair(STREAM_PF_UNIX, STREAM_SOCK_STREAM, 0);
}

/** The outer ends of two pipes, connected by a process that copies from one to the other. */
function pipe(): array
{
    global $process;
    $process = proc_open(['cat'], [['pipe', 'r'], ['pipe', 'w']], $pipes);
    return [$pipes[1], $pipes[0]];
}
?>
--EXPECT--
a pair: acd complete cancelled complete complete
a pair: complete more
a pair: ended
a pipe: acd complete cancelled complete complete
a pipe: complete more
a pipe: ended
first then
another
bool(true)
bool(true)
