// Node: async functions on the microtask queue, its cheapest way to yield.
//
// Called as `node main.js <workload>`; prints `RESULT <number>`. N in the environment sets the number of operations.
'use strict';

const harness = require('./harness.js');
const serve = require('./serve.js');

async function yieldTimes(count) {
  for (let k = 0; k < count; k++) await undefined;
}

async function yielding(count) {
  const each = Math.floor(harness.operationsOr(5_000_000) / count);
  await yieldTimes(200_000); // JIT compilation before the measurement
  const start = harness.nowNs();
  await Promise.all(Array.from({ length: count }, () => yieldTimes(each)));
  harness.reportPerOperation(start, each * count);
}

async function finishAtOnce() {
  await undefined;
}

async function spawnBatches(batch, batches) {
  const all = new Array(batch);
  for (let i = 0; i < batches; i++) {
    for (let k = 0; k < batch; k++) all[k] = finishAtOnce();
    for (let k = 0; k < batch; k++) await all[k];
  }
}

async function spawning(batch) {
  const batches = Math.floor(harness.operationsOr(1_000_000) / batch);
  await spawnBatches(batch, 200);
  const start = harness.nowNs();
  await spawnBatches(batch, batches);
  harness.reportPerOperation(start, batches * batch);
}

async function memory(size) {
  const count = harness.operationsOr(size);
  const waiting = [];
  const waitForever = async () => {
    await new Promise((resolve) => waiting.push(resolve));
  };
  const before = harness.memoryNow();
  const all = new Array(count);
  for (let i = 0; i < count; i++) all[i] = waitForever();
  await undefined;
  harness.reportMemory(before, count);
  process.exit(0);
}

async function sleeping(sleeps) {
  const count = harness.operationsOr(100_000);
  const start = harness.cpuMs();
  const delays = harness.sleepDelaysMs(count * sleeps);
  const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  const all = [];
  for (let i = 0; i < count; i++) {
    all.push((async () => {
      for (let k = 0; k < sleeps; k++) await sleep(delays[i * sleeps + k]);
    })());
  }
  await Promise.all(all);
  harness.report(harness.cpuMs() - start);
}

// Wall-clock time until all have slept 10 ms, as in the PHP workloads.
async function sleepingTogether() {
  const count = harness.operationsOr(10_000);
  const start = harness.nowNs();
  const sleep = () => new Promise((resolve) => setTimeout(resolve, 10));
  await Promise.all(Array.from({ length: count }, async () => { await sleep(); }));
  harness.report((harness.nowNs() - start) / 1e6);
}

const workloads = {
  'yield-2': () => yielding(2),
  'yield-16': () => yielding(16),
  'yield-100': () => yielding(100),
  'yield-1000': () => yielding(1000),
  'yield-10000': () => yielding(10_000),
  'spawn': () => spawning(100),
  'memory-1m': () => memory(1_000_000),
  'sleep-100k': () => sleeping(1),
  'sleep-100k-x5': () => sleeping(5),
  'php-yield-2': () => yielding(2),
  'php-yield-1000': () => yielding(1000),
  'php-spawn-1': () => spawning(100),
  'php-sleep-10k': sleepingTogether,
  'serve-echo': serve.serveEcho,
  'serve-http': serve.serveHttp,
};

const workload = workloads[process.argv[2]];
if (workload === undefined) {
  console.error('usage: node main.js <workload>; workloads: ' + Object.keys(workloads).join(' '));
  process.exit(2);
}
workload();
