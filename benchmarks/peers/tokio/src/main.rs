//! Tokio: stackless tasks on its current-thread runtime.
//!
//! Called as `<program> <workload>`; prints `RESULT <number>`. N in the environment sets the number of operations.

mod harness;
mod pool;
mod serve;
mod workloads;

fn main() {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    // Workloads run in a spawned task, so that the future polled by block_on is not part of the measurement.
    let known = runtime.block_on(async move { tokio::spawn(run(wanted)).await.expect("the workload") });
    if !known {
        eprintln!("usage: bench_tokio <workload>");
        std::process::exit(2);
    }
}

async fn run(wanted: String) -> bool {
    match wanted.as_str() {
        "yield-2" => workloads::yielding(2).await,
        "yield-16" => workloads::yielding(16).await,
        "yield-100" => workloads::yielding(100).await,
        "yield-1000" => workloads::yielding(1000).await,
        "yield-10000" => workloads::yielding(10_000).await,
        "spawn" => workloads::spawning(100).await,
        "memory-1m" => workloads::memory(1_000_000).await,
        "sleep-100k" => workloads::sleeping(1).await,
        "sleep-100k-x5" => workloads::sleeping(5).await,
        "channel-0" => workloads::channel(0).await,
        "channel-128" => workloads::channel(128).await,
        "mutex" => workloads::mutex().await,
        "semaphore" => workloads::semaphore(8).await,
        "pool-1" => pool::alone().await,
        "pool-64" => pool::shared(64).await,
        "pool-waiters" => pool::waiters().await,
        "serve-echo" => serve::echo().await,
        _ => return false,
    }
    true
}
