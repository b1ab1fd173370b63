//! Tokio: stackless tasks on its current-thread runtime.
//!
//! Called `<program> <work>`; prints `RESULT <number>`. N in the environment sets the number of operations.

mod harness;
mod pool;
mod serve;
mod works;

fn main() {
    let wanted = std::env::args().nth(1).unwrap_or_default();
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    // Works run in a spawned task, so that the future block_on polls is no part of the measured path.
    let known = runtime.block_on(async move { tokio::spawn(run(wanted)).await.expect("the work") });
    if !known {
        eprintln!("usage: bench_tokio <work>");
        std::process::exit(2);
    }
}

async fn run(wanted: String) -> bool {
    match wanted.as_str() {
        "yield-2" => works::yielding(2).await,
        "yield-16" => works::yielding(16).await,
        "yield-100" => works::yielding(100).await,
        "yield-1000" => works::yielding(1000).await,
        "yield-10000" => works::yielding(10_000).await,
        "spawn" => works::spawning(100).await,
        "memory-1m" => works::memory(1_000_000).await,
        "sleep-100k" => works::sleeping(1).await,
        "sleep-100k-x5" => works::sleeping(5).await,
        "channel-0" => works::channel(0).await,
        "channel-128" => works::channel(128).await,
        "mutex" => works::mutex().await,
        "semaphore" => works::semaphore(8).await,
        "pool-1" => pool::alone().await,
        "pool-64" => pool::shared(64).await,
        "pool-waiters" => pool::waiters().await,
        "serve-echo" => serve::echo().await,
        _ => return false,
    }
    true
}
