//! Clocks, memory measurement and the interface to the driver.

use std::time::Instant;

/// N from the environment, or `fallback`.
pub fn operations_or(fallback: usize) -> usize {
    std::env::var("N")
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(fallback)
}

pub fn report(result: f64) {
    println!("RESULT {result:.3}");
}

pub fn report_per_operation(start: Instant, operations: usize) {
    report(start.elapsed().as_nanos() as f64 / operations as f64);
}

/// User and system time of this process.
pub fn cpu_ms() -> f64 {
    // SAFETY: rusage is plain data, and getrusage fills it.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        usage
    };
    let seconds = (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) as f64;
    seconds * 1e3 + (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) as f64 / 1e3
}

/// A field of /proc/self/status, converted from kB.
pub fn status_bytes(key: &str) -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("/proc/self/status");
    let line = status.lines().find(|line| line.starts_with(key)).expect(key);
    let kilobytes: f64 = line[key.len()..]
        .split_whitespace()
        .next()
        .and_then(|number| number.parse().ok())
        .expect("a number");
    kilobytes * 1024.0
}

/// The sequence of delays that every peer uses: 0 … 100,000 microseconds each.
pub fn sleep_delays_us(count: usize) -> Vec<u64> {
    let mut state: u32 = 12345;
    (0..count)
        .map(|_| {
            state = state.wrapping_mul(1664525).wrapping_add(1013904223);
            ((state >> 8) % 100001) as u64
        })
        .collect()
}
