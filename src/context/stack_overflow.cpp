#include "context/stack_overflow.hpp"

#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <mutex>

#include "base/check.hpp"

namespace trueasync::detail {
namespace {

// A line of text that is built inside a signal handler: no allocation, no locale, no lock. Text that does not fit is
// cut.
class SignalSafeText {
 public:
  SignalSafeText& operator<<(const char* text) noexcept {
    while (*text != '\0') put(*text++);
    return *this;
  }

  SignalSafeText& operator<<(std::uint64_t number) noexcept {
    char digits[20];
    std::size_t count = 0;
    do {
      digits[count++] = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number != 0);
    while (count > 0) put(digits[--count]);
    return *this;
  }

  void write_to(int descriptor) const noexcept {
    for (std::size_t done = 0; done < size_;) {
      const ssize_t written = write(descriptor, text_ + done, size_ - done);
      if (written <= 0) return;
      done += static_cast<std::size_t>(written);
    }
  }

 private:
  void put(char letter) noexcept {
    if (size_ < sizeof text_) text_[size_++] = letter;
  }

  char text_[1024];
  std::size_t size_ = 0;
};

// Large enough for the previously installed handler, which may print a backtrace.
constexpr std::size_t kSignalStack = 64 * 1024;

// States: not in the chain → installed → not in the chain, or covered by a later handler, which may call this one.
struct HandledSignal {
  int signal;
  bool in_chain;
  struct sigaction previous;
};

// Overflow raises SIGSEGV on Linux; some kernels and emulators raise SIGBUS.
HandledSignal handled_signals[] = {{SIGSEGV, false, {}}, {SIGBUS, false, {}}};

std::mutex
    install_mutex;  // guards attached_threads and handled_signals; the handler reads the latter only while installed
std::size_t attached_threads = 0;
std::atomic<const OverflowReporter*> overflow_reporter = nullptr;

// The handler reads these variables, so their TLS model must not allocate.
#define TRUEASYNC_SIGNAL_LOCAL [[gnu::tls_model("initial-exec")]] thread_local
TRUEASYNC_SIGNAL_LOCAL OverflowQuery thread_query = nullptr;
TRUEASYNC_SIGNAL_LOCAL unsigned thread_depth = 0;
TRUEASYNC_SIGNAL_LOCAL void* thread_signal_stack = nullptr;
TRUEASYNC_SIGNAL_LOCAL std::size_t thread_signal_stack_size = 0;
#undef TRUEASYNC_SIGNAL_LOCAL

bool is_raised_by_fault(const siginfo_t& info) noexcept { return info.si_code > 0; }

// When the handler returns after this, a fault repeats and terminates the process with its signal and core file. A
// signal that was sent by kill() must be raised again.
void restore_default_action(int signal, const siginfo_t& info) noexcept {
  struct sigaction action = {};
  action.sa_handler = SIG_DFL;
  sigaction(signal, &action, nullptr);
  if (!is_raised_by_fault(info)) raise(signal);
}

void report(const OverflowContext& context) noexcept {
  SignalSafeText text;
  text << "trueasync: stack overflow in coroutine #" << context.id;
  if (context.name != nullptr && *context.name != '\0') text << " \"" << context.name << "\"";
  if (context.file != nullptr) text << " spawned at " << context.file << ":" << context.line;
  const OverflowReporter* reporter = overflow_reporter.load();
  const char* file = nullptr;
  unsigned line = 0;
  if (reporter != nullptr && reporter->running_at(file, line)) text << ", running at " << file << ":" << line;
  text << " (stack " << context.stack_size << " bytes); "
       << (reporter != nullptr ? reporter->advice : "raise spawn({.stack_size = ...}) or RuntimeOptions::stack_size")
       << "\n";
  text.write_to(STDERR_FILENO);
}

bool is_overflow(const siginfo_t& info, OverflowContext& context) noexcept {
  if (!is_raised_by_fault(info) || thread_query == nullptr || !thread_query(context)) return false;
  const auto address = reinterpret_cast<std::uintptr_t>(info.si_addr);
  return address >= reinterpret_cast<std::uintptr_t>(context.guard_begin) &&
         address < reinterpret_cast<std::uintptr_t>(context.guard_end);
}

// Calls the previous handler with the signal mask and flags that the kernel would have used for it.
void chain_to_previous_handler(HandledSignal& entry, siginfo_t* info, void* machine) noexcept {
  const struct sigaction previous = entry.previous;
  const bool takes_info = (previous.sa_flags & SA_SIGINFO) != 0;
  if (!takes_info && previous.sa_handler == SIG_IGN && !is_raised_by_fault(*info)) return;
  // The kernel does not allow a fault to be ignored either.
  if (!takes_info && (previous.sa_handler == SIG_DFL || previous.sa_handler == SIG_IGN))
    return restore_default_action(entry.signal, *info);

  if ((previous.sa_flags & static_cast<int>(SA_RESETHAND)) != 0) {
    entry.previous.sa_handler = SIG_DFL;
    entry.previous.sa_flags &= ~SA_SIGINFO;
  }
  sigset_t before;
  pthread_sigmask(SIG_BLOCK, &previous.sa_mask, &before);
  if ((previous.sa_flags & SA_NODEFER) != 0) {
    sigset_t self;
    sigemptyset(&self);
    sigaddset(&self, entry.signal);
    pthread_sigmask(SIG_UNBLOCK, &self, nullptr);
  }
  if (takes_info) {
    previous.sa_sigaction(entry.signal, info, machine);
  } else {
    previous.sa_handler(entry.signal);
  }
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void on_fault(int signal, siginfo_t* info, void* machine) noexcept {
  const int error = errno;
  OverflowContext context = {};
  if (is_overflow(*info, context)) {
    report(context);
    restore_default_action(signal, *info);
  } else {
    for (HandledSignal& entry : handled_signals)
      if (entry.signal == signal) chain_to_previous_handler(entry, info, machine);
  }
  errno = error;
}

bool is_own_handler(const struct sigaction& action) noexcept {
  return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == &on_fault;
}

bool is_function(const struct sigaction& action) noexcept {
  return (action.sa_flags & SA_SIGINFO) != 0 || (action.sa_handler != SIG_DFL && action.sa_handler != SIG_IGN);
}

void install() noexcept {
  for (HandledSignal& entry : handled_signals) {
    struct sigaction current = {};
    sigaction(entry.signal, nullptr, &current);
    // A second installation over a handler that calls this one would create a cycle.
    if (entry.in_chain && is_function(current)) continue;
    // Stored before the installation: a fault on another thread may need it immediately.
    entry.previous = current;
    struct sigaction action = {};
    action.sa_sigaction = &on_fault;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&action.sa_mask);
    TRUEASYNC_CHECK(sigaction(entry.signal, &action, nullptr) == 0, "sigaction for the overflow handler failed");
    entry.in_chain = true;
  }
}

// A handler installed over this one stays. It may call this one, so `previous` is kept.
void uninstall() noexcept {
  for (HandledSignal& entry : handled_signals) {
    struct sigaction current = {};
    sigaction(entry.signal, nullptr, &current);
    if (!is_own_handler(current)) continue;
    sigaction(entry.signal, &entry.previous, nullptr);
    entry.in_chain = false;
  }
}

void install_signal_stack() noexcept {
  stack_t current = {};
  if (sigaltstack(nullptr, &current) == 0 && (current.ss_flags & SS_DISABLE) == 0) return;
  const std::size_t size = std::max(kSignalStack, static_cast<std::size_t>(std::max(0L, sysconf(_SC_SIGSTKSZ))));
  void* memory = mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return;  // only the report is lost
  stack_t created = {};
  created.ss_sp = memory;
  created.ss_size = size;
  if (sigaltstack(&created, nullptr) != 0) {
    munmap(memory, size);
    return;
  }
  thread_signal_stack = memory;
  thread_signal_stack_size = size;
}

void remove_signal_stack() noexcept {
  if (thread_signal_stack == nullptr) return;
  stack_t current = {};
  if (sigaltstack(nullptr, &current) == 0 && current.ss_sp == thread_signal_stack) {
    stack_t none = {};
    none.ss_flags = SS_DISABLE;
    sigaltstack(&none, nullptr);
  }
  munmap(thread_signal_stack, thread_signal_stack_size);
  thread_signal_stack = nullptr;
}

}  // namespace

void set_overflow_reporter(const OverflowReporter& reporter) noexcept { overflow_reporter.store(&reporter); }

void overflow_attach_thread(OverflowQuery query) {
  thread_query = query;
  if (thread_depth++ > 0) return;
  install_signal_stack();
  const std::lock_guard lock(install_mutex);
  if (attached_threads++ == 0) install();
}

void overflow_detach_thread() noexcept {
  TRUEASYNC_CHECK(thread_depth > 0, "overflow_detach_thread() without overflow_attach_thread()");
  if (--thread_depth > 0) return;
  thread_query = nullptr;
  {
    const std::lock_guard lock(install_mutex);
    if (--attached_threads == 0) uninstall();
  }
  remove_signal_stack();
}

}  // namespace trueasync::detail
