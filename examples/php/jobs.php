<?php
// A thousand jobs run concurrently, and another coroutine reports their progress.
use Async\Channel;
use function Async\{await, delay, spawn};

const JOBS = 1000;

$done = new Channel(JOBS);
$jobs = [];
for ($i = 0; $i < JOBS; $i++) {
    $jobs[] = spawn(function () use ($i, $done) {
        delay(1 + $i % 100);  // for example a request to a server
        $done->send($i);
        return $i;
    });
}
$progress = spawn(function () use ($done) {
    for ($count = 1; $count <= JOBS; $count++) {
        $done->recv();
        if ($count % 250 === 0) {
            echo "$count of ", JOBS, "\n";
        }
    }
});

$started = hrtime(true);
$sum = 0;
foreach ($jobs as $job) {
    $sum += await($job);
}
await($progress);
echo "sum $sum, ", hrtime(true) - $started < 5e9 ? 'concurrently' : 'sequentially', "\n";
