// Stack overflow is reported with the coroutine's name; other faults reach the previous handler.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstring>
#include <thread>
#include <vector>

#include "context/stack_overflow.hpp"
#include "environment.hpp"
#include "test_coroutine.hpp"

namespace trueasync::detail {
namespace {

thread_local OverflowContext running = {};
thread_local bool is_running = false;

bool query(OverflowContext& context) {
  context = running;
  return is_running;
}

[[gnu::noinline]] int recurse(int depth) {
  volatile char frame[512];
  frame[0] = static_cast<char>(depth);
  return depth == 0 ? 0 : recurse(depth - 1) + frame[0];
}

void run_as_coroutine(StackPool& pool, const TestCoroutine::Body& body) {
  TestCoroutine coroutine(pool, body);
  const Stack& stack = coroutine.stack();
  running = {stack.base(), stack.limit(), stack.size(), 12, "parser", "main.cpp", 34};
  is_running = true;
  coroutine.resume();
  is_running = false;
}

void overflow_with(GuardKind guard) {
  overflow_attach_thread(&query);
  StackPool pool({.guard = guard});
  run_as_coroutine(pool, [](TestCoroutine&) { recurse(1 << 30); });
}

// An address that faults and belongs to no coroutine.
volatile char* forbidden_page() {
  return static_cast<volatile char*>(mmap(nullptr, page_size(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
}

void fault_in_coroutine() {
  StackPool pool({});
  run_as_coroutine(pool, [](TestCoroutine&) { *forbidden_page() = 1; });
}

void set_handler(int signal, void (*handler)(int)) {
  struct sigaction action = {};
  action.sa_handler = handler;
  sigaction(signal, &action, nullptr);
}

void say_and_exit(const char* text) {
  const ssize_t written = write(STDERR_FILENO, text, std::strlen(text));
  _exit(written > 0 ? 42 : 1);
}

TEST(Overflow, LastDetachRestoresPreviousHandler) {
  struct sigaction before = {}, during = {}, after = {};
  sigaction(SIGSEGV, nullptr, &before);
  overflow_attach_thread(&query);
  overflow_attach_thread(&query);
  std::thread([] {
    overflow_attach_thread(&query);
    overflow_detach_thread();
  }).join();
  overflow_detach_thread();
  sigaction(SIGSEGV, nullptr, &during);
  EXPECT_NE(during.sa_sigaction, before.sa_sigaction);
  EXPECT_NE(during.sa_flags & SA_ONSTACK, 0);
  overflow_detach_thread();
  sigaction(SIGSEGV, nullptr, &after);
  EXPECT_EQ(after.sa_sigaction, before.sa_sigaction);
}

TEST(Overflow, LaterHandlerStaysInstalled) {
  struct sigaction before = {}, after = {};
  sigaction(SIGSEGV, nullptr, &before);
  overflow_attach_thread(&query);
  struct sigaction ours = {};
  sigaction(SIGSEGV, nullptr, &ours);
  set_handler(SIGSEGV, [](int) { _exit(1); });
  overflow_detach_thread();
  sigaction(SIGSEGV, nullptr, &after);
  EXPECT_NE(after.sa_sigaction, before.sa_sigaction);
  // A second attach does not install over a handler that may call this one: that would be a cycle.
  overflow_attach_thread(&query);
  struct sigaction again = {};
  sigaction(SIGSEGV, nullptr, &again);
  EXPECT_EQ(again.sa_sigaction, after.sa_sigaction);
  sigaction(SIGSEGV, &ours, nullptr);
  overflow_detach_thread();
  sigaction(SIGSEGV, nullptr, &after);
  EXPECT_EQ(after.sa_sigaction, before.sa_sigaction);
}

TEST(Overflow, AttachInstallsSignalStackAndDetachRemovesIt) {
  std::thread([] {
    stack_t before = {}, during = {}, after = {};
    sigaltstack(nullptr, &before);
    overflow_attach_thread(&query);
    sigaltstack(nullptr, &during);
    EXPECT_EQ(during.ss_flags & SS_DISABLE, 0);
    overflow_detach_thread();
    sigaltstack(nullptr, &after);
    EXPECT_EQ(after.ss_flags & SS_DISABLE, before.ss_flags & SS_DISABLE);
  }).join();
}

TEST(Overflow, ExistingSignalStackIsKept) {
  std::thread([] {
    std::vector<char> memory(64 * 1024);
    stack_t before = {}, own = {}, during = {}, after = {};
    own.ss_sp = memory.data();
    own.ss_size = memory.size();
    sigaltstack(&own, &before);
    overflow_attach_thread(&query);
    sigaltstack(nullptr, &during);
    EXPECT_EQ(during.ss_sp, memory.data());
    overflow_detach_thread();
    sigaltstack(nullptr, &after);
    EXPECT_EQ(after.ss_sp, memory.data());
    sigaltstack(&before, nullptr);
  }).join();
}

#if GTEST_HAS_DEATH_TEST
class OverflowDeathTest : public testing::Test {
 protected:
  void SetUp() override {
    TRUEASYNC_SKIP_UNDER_VALGRIND("it reports the fault itself and dies its own way");
    GTEST_FLAG_SET(death_test_style, runs_emulated() ? "fast" : "threadsafe");
  }
  static constexpr const char* kReport =
      "trueasync: stack overflow in coroutine #12 \"parser\" spawned at main.cpp:34 .stack 65536 bytes.; "
      "raise spawn..\\.stack_size = \\.\\.\\... or RuntimeOptions::stack_size\n";
  // No output of the library. qemu-user prints its own message for every termination by a signal.
  static const char* silence() { return runs_emulated() ? "^qemu: uncaught target signal" : "^$"; }
};

// CTX-03 XC-07
TEST_F(OverflowDeathTest, ReportsCoroutineAndTerminatesBySignal) {
  EXPECT_EXIT(overflow_with(GuardKind::automatic), testing::KilledBySignal(SIGSEGV), kReport);
}

// CTX-03 XC-07
TEST_F(OverflowDeathTest, WorksWithMprotectGuards) {
  EXPECT_EXIT(overflow_with(GuardKind::mprotect), testing::KilledBySignal(SIGSEGV), kReport);
}

// CTX-03
TEST_F(OverflowDeathTest, WorksOnThread) {
  EXPECT_EXIT(std::thread([] { overflow_with(GuardKind::automatic); }).join(), testing::KilledBySignal(SIGSEGV),
              kReport);
}

TEST_F(OverflowDeathTest, UnnamedCoroutineIsReportedById) {
  EXPECT_EXIT(
      {
        overflow_attach_thread(&query);
        StackPool pool({});
        run_as_coroutine(pool, [](TestCoroutine&) {
          running.name = nullptr;
          running.file = nullptr;
          recurse(1 << 30);
        });
      },
      testing::KilledBySignal(SIGSEGV), "stack overflow in coroutine #12 .stack 65536 bytes.");
}

TEST_F(OverflowDeathTest, OtherFaultsReachPreviousHandler) {
  EXPECT_EXIT(
      {
        set_handler(SIGSEGV, [](int) { say_and_exit("earlier handler"); });
        overflow_attach_thread(&query);
        fault_in_coroutine();
      },
      testing::ExitedWithCode(42), "^earlier handler$");
}

TEST_F(OverflowDeathTest, PreviousHandlerGetsSignalInfo) {
  EXPECT_EXIT(
      {
        static volatile char* const location = forbidden_page();
        struct sigaction action = {};
        action.sa_flags = SA_SIGINFO;
        action.sa_sigaction = [](int signal, siginfo_t* info, void* machine) {
          const bool right = signal == SIGSEGV && info->si_addr == location && machine != nullptr;
          say_and_exit(right ? "all there" : "something is missing");
        };
        sigaction(SIGSEGV, &action, nullptr);
        overflow_attach_thread(&query);
        *location = 1;
      },
      testing::ExitedWithCode(42), "^all there$");
}

TEST_F(OverflowDeathTest, OtherFaultsWithoutHandlerTerminateProcess) {
  for (auto handler : {SIG_DFL, SIG_IGN}) {
    EXPECT_EXIT(
        {
          set_handler(SIGSEGV, handler);
          overflow_attach_thread(&query);
          fault_in_coroutine();
        },
        testing::KilledBySignal(SIGSEGV), silence());
  }
}

TEST_F(OverflowDeathTest, SentSignalsKeepTheirDisposition) {
  EXPECT_EXIT(
      {
        set_handler(SIGSEGV, SIG_IGN);
        overflow_attach_thread(&query);
        raise(SIGSEGV);
        say_and_exit("ignored");
      },
      testing::ExitedWithCode(42), "^ignored$");
  EXPECT_EXIT(
      {
        set_handler(SIGBUS, SIG_DFL);
        overflow_attach_thread(&query);
        raise(SIGBUS);
        say_and_exit("survived");
      },
      testing::KilledBySignal(SIGBUS), silence());
}

#if defined(TRUEASYNC_ASAN)
// CTX-06
TEST_F(OverflowDeathTest, AddressSanitizerStillReportsOtherFaults) {
  EXPECT_DEATH(
      {
        overflow_attach_thread(&query);
        fault_in_coroutine();
      },
      "AddressSanitizer: SEGV on unknown address");
}
#endif
#endif

}  // namespace
}  // namespace trueasync::detail
