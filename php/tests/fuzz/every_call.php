<?php
// usage: php -n -d extension=true_async every_call.php [SEED]
// Calls every function and method with random values on objects in random states: never a crash, only PHP's own kind of
// errors. Each seed is a process of its own, so that a crash names its seed and what was called last; with a SEED only
// that one runs. TRUEASYNC_FUZZ_SECONDS bounds it (10), TRUEASYNC_FUZZ_FIRST is the first seed (1, or "random": a test
// that somebody's change fails by luck helps nobody).

const LIMIT = 15;  // seconds for one seed that should take one

require __DIR__ . '/values.inc';
require __DIR__ . '/calls.inc';

if (getenv('TRUEASYNC_FUZZ_CHILD') !== false) {
    run_seed((int) $argv[1]);
    return;
}

/** The command line of this process up to the script: which php, which extension. */
function interpreter(): array
{
    $words = explode("\0", rtrim(file_get_contents('/proc/self/cmdline'), "\0"));
    return array_slice($words, 0, array_search($GLOBALS['argv'][0], $words, true));
}

/** Runs one seed; what went wrong, or null. An uncaught exception is a proper end (255). */
function try_seed(int $seed, string $log): ?string
{
    $command = [...interpreter(), '-d', 'memory_limit=256M', __FILE__, (string) $seed];
    // A folder of its own for temporary files: it is watched, and everybody's may be large.
    $environment = ['TRUEASYNC_FUZZ_CHILD' => '1', 'TRUEASYNC_FUZZ_LOG' => $log, 'TMPDIR' => "$log.folder"] + getenv();
    $files = [['file', '/dev/null', 'r'], ['file', "$log.out", 'w'], ['redirect', 1]];
    $process = proc_open($command, $files, $pipes, null, $environment);
    for ($until = microtime(true) + LIMIT; ($status = proc_get_status($process))['running'];) {
        if (microtime(true) > $until) {
            proc_terminate($process, 9);
            return 'did not end within ' . LIMIT . ' s';
        }
        usleep(2000);
        touch("$log.folder/news");  // who watches it is to see something
    }
    $alarming = '/internal check failed|heap corrupted|Sanitizer|canary mismatch|Corrupted/';
    $found = preg_match($alarming, file_get_contents("$log.out"), $match);
    return match (true) {
        $status['signaled'] => "ended by signal {$status['termsig']}",
        !in_array($status['exitcode'], [0, 1, 255], true) => "exit code {$status['exitcode']}",
        $found === 1 => $match[0],
        default => null,
    };
}

function last_lines(string $file, int $count): string
{
    return implode('', array_slice(is_file($file) ? file($file) : [], -$count));
}

$until = microtime(true) + (int) (getenv('TRUEASYNC_FUZZ_SECONDS') ?: 10);
$wished = $argv[1] ?? (getenv('TRUEASYNC_FUZZ_FIRST') ?: '1');
$first = $wished === 'random' ? random_int(0, 1 << 30) : (int) $wished;
$log = tempnam(sys_get_temp_dir(), 'trueasync-fuzz-');
mkdir("$log.folder");
$failures = 0;
for ($seed = $first; $seed === $first || (microtime(true) < $until && !isset($argv[1])); $seed++) {
    $why = try_seed($seed, $log);
    if ($why !== null) {
        $failures++;
        echo "not ok - seed $seed: $why; again: php … {$argv[0]} $seed\nlast calls:\n", last_lines($log, 25),
            "last output:\n", substr(last_lines("$log.out", 15), -2000), "\n";
    }
}
array_map(unlink(...), glob("$log.folder/*"));
rmdir("$log.folder");
@unlink($log);
@unlink("$log.out");
echo $failures ? '' : 'ok - ' . ($seed - $first) . " seeds from $first on, no crash\n";
exit($failures ? 1 : 0);
