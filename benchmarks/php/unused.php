<?php
// Cost of loading the extension without using it: instructions of a CPU-bound script with and without the extension, counted
// by valgrind, minus those of PHP's startup.

/** The command line of this process up to the script. */
function interpreter(): array
{
    $words = explode("\0", rtrim(file_get_contents('/proc/self/cmdline'), "\0"));
    return array_slice($words, 0, array_search($GLOBALS['argv'][0], $words, true));
}

function instructions(array $php, int $rounds): int
{
    $options = ['--tool=cachegrind', '--cache-sim=no', '--branch-sim=no', '--cachegrind-out-file=/dev/null'];
    $words = ['valgrind', ...$options, ...$php, __DIR__ . '/cpu_bound.php', (string) $rounds];
    exec(implode(' ', array_map(escapeshellarg(...), $words)) . ' 2>&1', $output);
    if (!preg_match('/I\s+refs:\s+([\d,]+)/', implode("\n", $output), $match)) {
        fwrite(STDERR, 'valgrind printed no instruction count: ' . end($output) . "\n");
        exit(1);
    }
    return (int) str_replace(',', '', $match[1]);
}

function unused(): void
{
    $with = interpreter();
    $extension = array_key_last(preg_grep('/^extension=/', $with));
    $without = [...array_slice($with, 0, $extension - 1), ...array_slice($with, $extension + 1)];
    $rounds = operations_or(20);
    $cost = fn (array $php): int => instructions($php, $rounds) - instructions($php, 0);
    [$loaded, $bare] = [$cost($with), $cost($without)];
    $note = sprintf('%.1f M instructions with the extension, %.1f M without', $loaded / 1e6, $bare / 1e6);
    report(100 * ($loaded - $bare) / $bare, $note);
}
