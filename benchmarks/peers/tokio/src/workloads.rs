//! The workloads.

use crate::harness::{cpu_ms, operations_or, report, report_per_operation, sleep_delays_us, status_bytes};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::{mpsc, Mutex, Semaphore};
use tokio::task::{self, JoinHandle};

pub async fn yielding(count: usize) {
    let each = operations_or(5_000_000) / count;
    let mut all = Vec::new();
    for _ in 0..count {
        all.push(task::spawn(async move {
            for _ in 0..each {
                task::yield_now().await;
            }
        }));
    }
    let start = Instant::now();
    for task in all {
        task.await.unwrap();
    }
    report_per_operation(start, each * count);
}

async fn spawn_batches(batch: usize, batches: usize) {
    let mut all = Vec::with_capacity(batch);
    for _ in 0..batches {
        for _ in 0..batch {
            all.push(task::spawn(async {}));
        }
        for task in all.drain(..) {
            task.await.unwrap();
        }
    }
}

pub async fn spawning(batch: usize) {
    let batches = operations_or(1_000_000) / batch;
    spawn_batches(batch, 100).await;
    let start = Instant::now();
    spawn_batches(batch, batches).await;
    report_per_operation(start, batches * batch);
}

/// A vector with resident memory for `count` handles, so that measurements do not count it.
fn touched_handles(count: usize) -> Vec<JoinHandle<()>> {
    let mut handles = Vec::with_capacity(count);
    let spare = handles.spare_capacity_mut();
    // SAFETY: writes only to the spare capacity, which is not read as handles.
    unsafe { std::ptr::write_bytes(spare.as_mut_ptr(), 0, spare.len()) };
    handles
}

pub async fn memory(size: usize) {
    let count = operations_or(size);
    let gate = Arc::new(Semaphore::new(0));
    let mut all = touched_handles(count);
    let before = (status_bytes("VmRSS:"), status_bytes("VmPTE:"));
    for _ in 0..count {
        let gate = gate.clone();
        all.push(task::spawn(async move {
            let _permit = gate.acquire().await;
        }));
    }
    for _ in 0..10 {
        task::yield_now().await;
    }
    tokio::time::sleep(Duration::from_millis(10)).await;
    let resident = (status_bytes("VmRSS:") - before.0) / count as f64;
    let tables = (status_bytes("VmPTE:") - before.1) / count as f64;
    println!("NOTE {resident:.0} bytes resident + {tables:.0} of page tables");
    report(resident + tables);
    std::process::exit(0);
}

pub async fn sleeping(sleeps: usize) {
    let count = operations_or(100_000);
    let start = cpu_ms();
    let delays = Arc::new(sleep_delays_us(count * sleeps));
    let mut all = Vec::with_capacity(count);
    for i in 0..count {
        let delays = delays.clone();
        all.push(task::spawn(async move {
            for k in 0..sleeps {
                tokio::time::sleep(Duration::from_micros(delays[i * sleeps + k])).await;
            }
        }));
    }
    for task in all {
        task.await.unwrap();
    }
    report(cpu_ms() - start);
}

/// Tokio has no unbuffered channel: the smallest buffer instead.
pub async fn channel(capacity: usize) {
    let count = operations_or(2_000_000);
    let (sender, mut receiver) = mpsc::channel::<u64>(capacity.max(1));
    let sending = task::spawn(async move {
        for i in 0..count {
            sender.send(i as u64).await.unwrap();
        }
    });
    let receiving = task::spawn(async move {
        let mut sum = 0u64;
        while let Some(value) = receiver.recv().await {
            sum += value;
        }
        sum
    });
    let start = Instant::now();
    sending.await.unwrap();
    let sum = receiving.await.unwrap();
    report_per_operation(start, count);
    assert_eq!(sum, (count as u64) * (count as u64 - 1) / 2);
}

pub async fn mutex() {
    let count = operations_or(10_000_000);
    let mutex = Mutex::new(0u64);
    let start = Instant::now();
    for _ in 0..count {
        *mutex.lock().await += 1;
    }
    report_per_operation(start, count);
}

pub async fn semaphore(permits: usize) {
    let count = operations_or(10_000_000);
    let semaphore = Semaphore::new(permits);
    let start = Instant::now();
    for _ in 0..count {
        drop(semaphore.acquire().await.unwrap());
    }
    report_per_operation(start, count);
}
