//! The pool workloads, with the usual pool in Tokio: a vector of resources and a semaphore.

use crate::harness::{operations_or, report, report_per_operation};
use std::sync::{Arc, Mutex};
use std::time::Instant;
use tokio::sync::{Semaphore, SemaphorePermit};
use tokio::task::{self, JoinHandle};

const RESOURCES: usize = 8;
const FEW_WAITERS: usize = 10_000;

struct Pool {
    free: Semaphore,
    idle: Mutex<Vec<Box<u64>>>,
}

struct Lease<'a> {
    pool: &'a Pool,
    resource: Option<Box<u64>>,
    _permit: SemaphorePermit<'a>,
}

impl Pool {
    fn new(resources: usize) -> Arc<Pool> {
        Arc::new(Pool {
            free: Semaphore::new(resources),
            idle: Mutex::new((0..resources).map(|_| Box::new(0)).collect()),
        })
    }

    async fn acquire(&self) -> Lease<'_> {
        let permit = self.free.acquire().await.unwrap();
        let resource = self.idle.lock().unwrap().pop();
        Lease { pool: self, resource, _permit: permit }
    }
}

impl Lease<'_> {
    fn count(&mut self) {
        **self.resource.as_mut().unwrap() += 1;
    }
}

impl Drop for Lease<'_> {
    // Runs before the permit is released.
    fn drop(&mut self) {
        self.pool.idle.lock().unwrap().push(self.resource.take().unwrap());
    }
}

async fn join(all: Vec<JoinHandle<()>>) {
    for task in all {
        task.await.unwrap();
    }
}

pub async fn alone() {
    let count = operations_or(10_000_000);
    let pool = Pool::new(RESOURCES);
    let start = Instant::now();
    for _ in 0..count {
        pool.acquire().await.count();
    }
    report_per_operation(start, count);
}

#[derive(Default)]
struct Seen {
    grants: u64,
    other_grants: u64,
    max_other_grants: u64,
    ns: f64,
    max_ns: f64,
}

/// Fairness: the duration of each wait, and the number of grants to other tasks during it.
async fn note_fairness(users: usize) {
    let pool = Pool::new(RESOURCES);
    let seen = Arc::new(Mutex::new(Seen::default()));
    let mut all = Vec::new();
    for _ in 0..users {
        let (pool, seen) = (pool.clone(), seen.clone());
        all.push(task::spawn(async move {
            for _ in 0..2_000 {
                let before = seen.lock().unwrap().grants;
                let start = Instant::now();
                let _lease = pool.acquire().await;
                let ns = start.elapsed().as_nanos() as f64;
                {
                    let mut seen = seen.lock().unwrap();
                    let other_grants = seen.grants - before;
                    seen.grants += 1;
                    seen.other_grants += other_grants;
                    seen.max_other_grants = seen.max_other_grants.max(other_grants);
                    seen.ns += ns;
                    seen.max_ns = seen.max_ns.max(ns);
                }
                task::yield_now().await;
            }
        }));
    }
    join(all).await;
    let seen = seen.lock().unwrap();
    let mean = seen.ns / seen.grants as f64;
    println!(
        "NOTE wait time: mean {:.0} ns, maximum {:.1} times the mean; {:.1} grants to others during a wait on average, {} at most",
        mean,
        seen.max_ns / mean,
        seen.other_grants as f64 / seen.grants as f64,
        seen.max_other_grants
    );
}

pub async fn shared(users: usize) {
    let each = operations_or(2_000_000) / users;
    let pool = Pool::new(RESOURCES);
    let mut all = Vec::new();
    let start = Instant::now();
    for _ in 0..users {
        let pool = pool.clone();
        all.push(task::spawn(async move {
            for _ in 0..each {
                let mut lease = pool.acquire().await;
                lease.count();
                task::yield_now().await;
            }
        }));
    }
    join(all).await;
    let elapsed = start.elapsed().as_nanos() as f64;
    let sum: u64 = pool.idle.lock().unwrap().iter().map(|resource| **resource).sum();
    assert_eq!(sum, (each * users) as u64);
    note_fairness(users).await;
    report(elapsed / (each * users) as f64);
}

async fn wait_cost(waiters: usize) -> f64 {
    let pool = Pool::new(1);
    let waiting = Arc::new(Mutex::new(0));
    let mut all = Vec::with_capacity(waiters);
    let start = Instant::now();
    let held = pool.acquire().await;
    for _ in 0..waiters {
        let (pool, waiting) = (pool.clone(), waiting.clone());
        all.push(task::spawn(async move {
            *waiting.lock().unwrap() += 1;
            pool.acquire().await.count();
        }));
    }
    while *waiting.lock().unwrap() < waiters {
        task::yield_now().await;
    }
    drop(held);
    join(all).await;
    start.elapsed().as_nanos() as f64 / waiters as f64
}

pub async fn waiters() {
    let many = operations_or(100_000);
    wait_cost(many).await;
    let few = wait_cost(FEW_WAITERS).await;
    let all = wait_cost(many).await;
    println!("NOTE {few:.0} ns per waiter among {FEW_WAITERS}, {all:.0} ns among {many}");
    report(all / few);
}
