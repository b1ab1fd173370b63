<?php
// usage: pdo.php php-pdo
// Runs `select 1` N times with pdo_pgsql on the server in DATABASE. The result is queries per second. With PROCESSES=8, that
// many PHP processes without the extension do it instead.
require __DIR__ . '/harness.php';

use function Async\{await, spawn};

const COROUTINES = 64;
const CONNECTIONS = 8;

function connect(array $options): PDO
{
    return new PDO('pgsql:' . strtr(getenv('DATABASE'), ' ', ';'), null, null, $options);
}

function ask(PDO $pdo, int $times): void
{
    for ($i = 0; $i < $times; $i++) {
        $pdo->query('select 1')->fetchColumn();
    }
}

function pooled(): void
{
    $each = intdiv(operations_or(20_000), COROUTINES);
    $pdo = connect([PDO::ATTR_POOL_ENABLED => true, PDO::ATTR_POOL_MIN => CONNECTIONS, PDO::ATTR_POOL_MAX => CONNECTIONS]);
    ask($pdo, 10);
    $start = hrtime(true);
    $all = [];
    for ($i = 0; $i < COROUTINES; $i++) {
        $all[] = spawn(ask(...), $pdo, $each);
    }
    foreach ($all as $one) {
        await($one);
    }
    report(COROUTINES * $each / ((hrtime(true) - $start) / 1e9));
}

/** All processes connect, then start at the same time. The time ends with the last process. */
function in_processes(int $count): void
{
    $each = intdiv(operations_or(20_000), $count);
    $command = [PHP_BINARY, '-n', '-d', 'extension=pdo', '-d', 'extension=pdo_pgsql', __FILE__, 'worker', (string) $each];
    $workers = [];
    for ($i = 0; $i < $count; $i++) {
        $process = proc_open($command, [['pipe', 'r'], ['pipe', 'w']], $pipes);
        $workers[] = [$process, ...$pipes];
    }
    foreach ($workers as [, , $answers]) {
        fgets($answers);
    }
    $start = hrtime(true);
    foreach ($workers as [, $begin]) {
        fwrite($begin, "go\n");
    }
    foreach ($workers as [, , $answers]) {
        fgets($answers);
    }
    report($count * $each / ((hrtime(true) - $start) / 1e9));
}

function work_alone(int $times): void
{
    $pdo = connect([]);
    ask($pdo, 10);
    echo "ready\n";
    fgets(STDIN);
    ask($pdo, $times);
    echo "done\n";
}

run_workload([
    'php-pdo' => fn () => getenv('PROCESSES') ? in_processes((int) getenv('PROCESSES')) : pooled(),
    'worker' => fn () => work_alone((int) $argv[2]),
], $argv);
