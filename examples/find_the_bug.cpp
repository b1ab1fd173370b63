// Testing with seeds: an ordering bug that the FIFO schedule does not show. The simulation tries schedules by seed, finds
// one that loses money, and replays it exactly.
#include <cstdint>
#include <cstdio>
#include <trueasync/testing.hpp>
#include <trueasync/trueasync.hpp>

namespace ta = trueasync;
using namespace std::chrono_literals;

struct Account {
  int balance = 100;
  // The bug: the coroutine suspends between reading and writing the balance.
  void withdraw(int amount) {
    const int before = balance;
    ta::yield();
    balance = before - amount;
  }
};

// The balance after two withdrawals; the second is expected to start after the first has finished.
int two_withdrawals() {
  Account account;
  auto first = ta::spawn([&] { account.withdraw(30); });
  auto second = ta::spawn([&] {
    ta::yield();
    ta::yield();  // long enough in FIFO order only
    account.withdraw(50);
  });
  ta::await(first);
  ta::await(second);
  return account.balance;
}

int balance_with(std::uint64_t seed, ta::testing::Order order, std::uint64_t* hash = nullptr) {
  ta::testing::Simulation simulation({.seed = seed, .order = order});
  const int balance = simulation.run(two_withdrawals);
  if (hash) *hash = simulation.schedule_hash();
  return balance;
}

int main() {
  std::printf("FIFO order: %d\n", balance_with(1, ta::testing::Order::fifo));
  for (std::uint64_t seed = 1; seed <= 1000; ++seed) {
    std::uint64_t hash = 0, again = 0;
    const int balance = balance_with(seed, ta::testing::Order::random, &hash);
    if (balance == 20) continue;
    std::printf("seed %llu loses money: the balance is %d\n", static_cast<unsigned long long>(seed), balance);
    const int replayed = balance_with(seed, ta::testing::Order::random, &again);
    std::printf("replayed: %d, %s schedule\n", replayed, hash == again ? "the same" : "a different");
    return replayed == balance && hash == again ? 0 : 1;
  }
  std::puts("no seed shows the bug");
  return 1;
}
