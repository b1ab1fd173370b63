#include "reactor/uv/signal_dispositions.hpp"

#include <csignal>

#include <array>
#include <mutex>

namespace trueasync::detail {

namespace {

constexpr int kNumbers = 128;  // more than any platform has

struct Saved {
  unsigned watchers = 0;
  struct sigaction action = {};
};

struct Table {
  std::mutex mutex;
  std::array<Saved, kNumbers> saved;
};

Table& table() noexcept {
  static Table* const instance = new Table;  // never destroyed: loops of other threads may outlive main()
  return *instance;
}

bool is_known(int number) noexcept { return number > 0 && number < kNumbers; }

}  // namespace

void save_disposition(int number) noexcept {
  if (!is_known(number)) return;
  const std::lock_guard lock(table().mutex);
  Saved& saved = table().saved[static_cast<std::size_t>(number)];
  if (saved.watchers++ == 0) ::sigaction(number, nullptr, &saved.action);
}

void restore_disposition(int number) noexcept {
  if (!is_known(number)) return;
  const std::lock_guard lock(table().mutex);
  Saved& saved = table().saved[static_cast<std::size_t>(number)];
  if (--saved.watchers == 0 && saved.action.sa_handler != SIG_DFL) ::sigaction(number, &saved.action, nullptr);
}

}  // namespace trueasync::detail
