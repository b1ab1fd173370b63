#include "reactor/uv/signal_dispositions.hpp"

#include <csignal>

#include <array>
#include <atomic>
#include <mutex>

namespace trueasync::detail {

namespace {

constexpr int kMaxSignals = 128;  // more than any platform has

struct Saved {
  unsigned watchers = 0;
  struct sigaction action = {};  // the program's
  struct sigaction loop = {};    // libuv's, while both are called
};

struct Table {
  std::mutex mutex;
  std::array<Saved, kMaxSignals> saved;
};

Table& table() noexcept {
  static Table* const instance = new Table;  // never destroyed: loops of other threads may outlive main()
  return *instance;
}

std::atomic<bool (*)(int)> has_handler = nullptr;

bool is_handler(const struct sigaction& action) noexcept {
  return (action.sa_flags & SA_SIGINFO) || (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
}

void call(const struct sigaction& action, int number, siginfo_t* info, void* context) noexcept {
  if (action.sa_flags & SA_SIGINFO) {
    action.sa_sigaction(number, info, context);
  } else {
    action.sa_handler(number);
  }
}

// A signal handler, so it takes no lock. The data it reads was written before the handler was installed.
void call_user_and_loop_handler(int number, siginfo_t* info, void* context) {
  const Saved& saved = table().saved[static_cast<std::size_t>(number)];
  const auto predicate = has_handler.load();
  if (predicate && predicate(number)) call(saved.action, number, info, context);
  call(saved.loop, number, info, context);
}

bool is_chaining_handler(const struct sigaction& action) noexcept {
  return (action.sa_flags & SA_SIGINFO) && action.sa_sigaction == &call_user_and_loop_handler;
}

bool is_known(int number) noexcept { return number > 0 && number < kMaxSignals; }

}  // namespace

void save_disposition(int number) noexcept {
  if (!is_known(number)) return;
  const std::lock_guard lock(table().mutex);
  Saved& saved = table().saved[static_cast<std::size_t>(number)];
  if (saved.watchers++ == 0) ::sigaction(number, nullptr, &saved.action);
}

void enable_handler_chaining(bool (*predicate)(int number)) noexcept { has_handler.store(predicate); }

void chain_user_handler(int number) noexcept {
  if (!is_known(number) || !has_handler.load()) return;
  const std::lock_guard lock(table().mutex);
  Saved& saved = table().saved[static_cast<std::size_t>(number)];
  if (saved.watchers == 0) return;
  struct sigaction now = {};
  ::sigaction(number, nullptr, &now);
  if (is_chaining_handler(now)) return;
  if (saved.loop.sa_handler == nullptr) {
    saved.loop = now;  // libuv has just installed it
  } else {
    saved.action = now;
  }
  if (!is_handler(saved.action)) return;
  struct sigaction both = {};
  both.sa_sigaction = &call_user_and_loop_handler;
  both.sa_flags = SA_SIGINFO | SA_RESTART | (saved.action.sa_flags & SA_ONSTACK);
  sigfillset(&both.sa_mask);
  ::sigaction(number, &both, nullptr);
}

void restore_disposition(int number) noexcept {
  if (!is_known(number)) return;
  const std::lock_guard lock(table().mutex);
  Saved& saved = table().saved[static_cast<std::size_t>(number)];
  if (saved.watchers == 1) saved.loop = {};
  if (--saved.watchers == 0 && saved.action.sa_handler != SIG_DFL) ::sigaction(number, &saved.action, nullptr);
}

}  // namespace trueasync::detail
