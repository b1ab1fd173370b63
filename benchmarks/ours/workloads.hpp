// The workloads of TrueAsync, one file per group. The table in main.cpp contains the arguments.
#pragma once

#include <cstdint>

namespace bench::ours {

void raw_switch(std::uint64_t unused);
void yield(std::uint64_t coroutines);
void spawn(std::uint64_t batch);
void scope_cancel(std::uint64_t depth);
void skynet(std::uint64_t unused);
void memory(std::uint64_t coroutines);
void sleep(std::uint64_t sleeps);
void channel(std::uint64_t capacity);
void mutex(std::uint64_t unused);
void semaphore(std::uint64_t permits);
void pool_alone(std::uint64_t unused);
void pool_shared(std::uint64_t users);
void pool_waiters(std::uint64_t unused);
void growth_spawn(std::uint64_t unused);
void growth_yield(std::uint64_t unused);
void growth_timer(std::uint64_t unused);
void fan_out(std::uint64_t limit);
void timer_cancel(std::uint64_t unused);
void trigger(std::uint64_t unused);
void interpose(std::uint64_t unused);
void file(std::uint64_t piece_bytes);
void postgres(std::uint64_t unused);
void redis(std::uint64_t pipelined);
void serve_echo(std::uint64_t unused);
void serve_http(std::uint64_t unused);

}  // namespace bench::ours
