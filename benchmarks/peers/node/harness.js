// Clocks, memory measurement and the interface to the driver.
'use strict';

const fs = require('fs');

// N from the environment, or `fallback`.
const operationsOr = (fallback) => Number(process.env.N || fallback);

const nowNs = () => Number(process.hrtime.bigint());

const report = (result) => console.log(`RESULT ${result.toFixed(3)}`);

const reportPerOperation = (startNs, operations) => report((nowNs() - startNs) / operations);

// User and system time of this process.
function cpuMs() {
  const usage = process.cpuUsage();
  return (usage.user + usage.system) / 1e3;
}

// A field of /proc/self/status, converted from kB.
function statusBytes(status, key) {
  const line = status.split('\n').find((candidate) => candidate.startsWith(key));
  return parseInt(line.slice(key.length), 10) * 1024;
}

function memoryNow() {
  const status = fs.readFileSync('/proc/self/status', 'utf8');
  return { resident: statusBytes(status, 'VmRSS:'), tables: statusBytes(status, 'VmPTE:') };
}

function reportMemory(before, count) {
  const after = memoryNow();
  const resident = (after.resident - before.resident) / count;
  const tables = (after.tables - before.tables) / count;
  console.log(`NOTE ${resident.toFixed(0)} bytes resident + ${tables.toFixed(0)} of page tables`);
  report(resident + tables);
}

// The sequence of delays that every peer uses: 0 … 100,000 microseconds each, in milliseconds.
function sleepDelaysMs(count) {
  let state = 12345;
  return Array.from({ length: count }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return ((state >>> 8) % 100001) / 1000;
  });
}

module.exports = { operationsOr, nowNs, report, reportPerOperation, cpuMs, memoryNow, reportMemory, sleepDelaysMs };
