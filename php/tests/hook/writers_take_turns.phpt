--TEST--
Coroutines that write to the same stream take turns: what each writes comes out in one piece
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
    // Who leaves before its turn is passed over.
    $writers['b']->cancel();
    $received = '';
    while (strlen($received) < 3 * SIZE) $received .= fread($in, 65536);
    echo "$name: ", implode(array_map(pieces(...), str_split($received, SIZE))), ' ', implode(' ', array_map(
        fn ($writer) => $writer->isCancelled() ? 'cancelled' : (await($writer) === SIZE ? 'whole' : 'short'), $writers)), "\n";

    // When all have left there is no turn to wait for.
    $writer = spawn(fn () => fwrite($out, str_repeat('e', SIZE)));
    $left = spawn(fn () => fwrite($out, 'never'));
    delay(1);
    $left->cancel();
    $received = '';
    while (strlen($received) < SIZE) $received .= fread($in, 65536);
    fwrite($out, "more\n");
    echo "$name: ", await($writer) === SIZE ? 'whole' : 'short', ' ', fgets($in);

    // Closing it ends all of them.
    $writers = array_map(fn () => spawn(fn () => @fwrite($out, str_repeat('f', SIZE))), range(1, 20));
    delay(1);
    fclose($out);
    stream_get_contents($in);
    $ends = array_map(function ($writer) {
        try {
            return await($writer) === SIZE ? 'whole' : 'short';
        } catch (TypeError) {
            return 'closed';
        }
    }, $writers);
    echo "$name: ", isset(array_count_values($ends)['whole']) ? 'whole' : 'ended', "\n";
}

// One that writes to the stream it is writing to does not wait for itself, whoever else waits.
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

// Cancelled together.
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

/** The ends of two pipes with a process between them that waits for no one else. */
function pipe(): array
{
    global $process;
    $process = proc_open(['cat'], [['pipe', 'r'], ['pipe', 'w']], $pipes);
    return [$pipes[1], $pipes[0]];
}
?>
--EXPECT--
a pair: acd whole cancelled whole whole
a pair: whole more
a pair: ended
a pipe: acd whole cancelled whole whole
a pipe: whole more
a pipe: ended
first then
another
bool(true)
bool(true)
