<?php
// usage: php -n -d extension=true_async every_call.php [SEED]
// Calls every function and method with random values on objects in random states. A call may throw but must not crash.
// Each seed runs in its own process, so that a crash report names its seed and its last calls. With SEED only that seed
// runs. TRUEASYNC_FUZZ_SECONDS limits the run (default 10). TRUEASYNC_FUZZ_FIRST is the first seed or "random"; the
// default is 1, so that a normal run is reproducible.

const SEED_TIMEOUT = 15;  // seconds; a seed normally takes one

require __DIR__ . '/values.inc';
require __DIR__ . '/calls.inc';

if (getenv('TRUEASYNC_FUZZ_CHILD') !== false) {
    run_seed((int) $argv[1]);
    return;
}

/** The command line of this process up to the script: the PHP binary and its extension options. */
function interpreter(): array
{
    $words = explode("\0", rtrim(file_get_contents('/proc/self/cmdline'), "\0"));
    return array_slice($words, 0, array_search($GLOBALS['argv'][0], $words, true));
}

/** Runs one seed; returns the failure or null. An uncaught exception (exit code 255) is not a failure. */
function try_seed(int $seed, string $log): ?string
{
    $command = [...interpreter(), '-d', 'memory_limit=256M', __FILE__, (string) $seed];
    // A separate folder for temporary files: it is watched, and the system's folder may be large.
    $environment = ['TRUEASYNC_FUZZ_CHILD' => '1', 'TRUEASYNC_FUZZ_LOG' => $log, 'TMPDIR' => "$log.folder"] + getenv();
    $files = [['file', '/dev/null', 'r'], ['file', "$log.out", 'w'], ['redirect', 1]];
    $process = proc_open($command, $files, $pipes, null, $environment);
    for ($until = microtime(true) + SEED_TIMEOUT; ($status = proc_get_status($process))['running'];) {
        if (microtime(true) > $until) {
            proc_terminate($process, 9);
            return 'did not end within ' . SEED_TIMEOUT . ' s';
        }
        usleep(2000);
        touch("$log.folder/change");  // a change for the watchers
    }
    $crash_pattern = '/internal check failed|heap corrupted|Sanitizer|canary mismatch|Corrupted/';
    $found = preg_match($crash_pattern, file_get_contents("$log.out"), $match);
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
$requested = $argv[1] ?? (getenv('TRUEASYNC_FUZZ_FIRST') ?: '1');
$first = $requested === 'random' ? random_int(0, 1 << 30) : (int) $requested;
$log = tempnam(sys_get_temp_dir(), 'trueasync-fuzz-');
mkdir("$log.folder");
$failures = 0;
for ($seed = $first; $seed === $first || (microtime(true) < $until && !isset($argv[1])); $seed++) {
    $why = try_seed($seed, $log);
    if ($why !== null) {
        $failures++;
        echo "not ok - seed $seed: $why; repeat: php … {$argv[0]} $seed\nlast calls:\n", last_lines($log, 25),
            "last output:\n", substr(last_lines("$log.out", 15), -2000), "\n";
    }
}
array_map(unlink(...), glob("$log.folder/*"));
rmdir("$log.folder");
@unlink($log);
@unlink("$log.out");
echo $failures ? '' : 'ok - ' . ($seed - $first) . " seeds from $first on, no crash\n";
exit($failures ? 1 : 0);
