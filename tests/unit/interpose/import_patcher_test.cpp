// Which objects are patched, where the originals run, and what a dump shows.
#include <dlfcn.h>

#include <algorithm>
#include <thread>

#include "fixture.hpp"
#include "scheduler/scheduler.hpp"

namespace trueasync::test {
namespace {

class BlockingImportPatcher : public Blocking {
 protected:
  // The calling coroutine must be cancelled: the original sleep succeeds, the replacement fails.
  static bool is_original() {
    errno = 0;
    return c_usleep(0) == 0 && errno == 0;
  }
};

TEST(BlockingAvailability, AvailableInDynamicProgramOnSupportedCpu) {
  EXPECT_TRUE(blocking::is_available()) << blocking::unavailable_reason();
}

TEST(BlockingAvailability, PatchesOnlyNamedObjects) {
  blocking::enable({"no-such-object"});
  EXPECT_TRUE(blocking::is_enabled());
  EXPECT_EQ(blocking::replaced_imports().imports, 0u);
  blocking::enable({"blocking_calls"});
  const blocking::ReplacedImports replaced = blocking::replaced_imports();
  ASSERT_EQ(replaced.objects.size(), 1u);
  EXPECT_NE(replaced.objects.front().find("blocking_calls"), std::string::npos);
  EXPECT_GT(replaced.imports, 40u);
  blocking::disable();
  EXPECT_FALSE(blocking::is_enabled());
  EXPECT_EQ(blocking::replaced_imports().imports, 0u);
}

TEST(BlockingAvailability, PatchesAllExceptOwnLibcAndLibuv) {
  blocking::enable();
  const auto objects = blocking::replaced_imports().objects;
  for (const char* excluded : {"unit_interpose", "libc.so", "libuv", "ld-linux", "libasan", "libtsan"}) {
    const bool is_patched = std::any_of(objects.begin(), objects.end(), [&](const std::string& name) {
      return name.find(excluded) != std::string::npos;
    });
    EXPECT_FALSE(is_patched) << excluded;
  }
  EXPECT_TRUE(std::any_of(objects.begin(), objects.end(),
                          [](const std::string& name) { return name.find("blocking_calls") != std::string::npos; }));
  blocking::disable();
}

TEST(BlockingAvailability, DisableRestoresOriginals) {
  void* const before = c_address_of_recv();
  blocking::enable({"blocking_calls"});
  EXPECT_NE(c_address_of_recv(), before);
  blocking::enable();
  blocking::disable();
  EXPECT_EQ(c_address_of_recv(), before);
  blocking::disable();
  EXPECT_EQ(c_address_of_recv(), before);
}

TEST_F(BlockingImportPatcher, OriginalRunsOutsideRuntime) {
  const SocketPair sockets = SocketPair::tcp();
  char buffer[8];
  std::thread sender([&] { c_send(sockets[1], "plain", 5, 0); });
  EXPECT_EQ(c_recv(sockets[0], buffer, 5, MSG_WAITALL), 5);
  sender.join();
  EXPECT_EQ(c_usleep(1), 0);
}

TEST_F(BlockingImportPatcher, OriginalRunsWhereSuspendingIsForbidden) {
  run([&] {
    auto task = spawn([&] {
      current_coroutine().cancel();
      EXPECT_FALSE(is_original());
      detail::Scheduler& scheduler = *detail::Scheduler::current();
      {
        const detail::Scheduler::NoSuspend guard(scheduler, "a test");
        EXPECT_TRUE(is_original());
      }
      run_on_thread_stack([&] { EXPECT_TRUE(is_original()); });
      EXPECT_FALSE(is_original());
    });
    try {
      await(task);
    } catch (const Cancelled&) {
    }
    bool has_run = false;
    queue_microtask([&] { has_run = c_usleep(1) == 0; });
    yield();
    yield();
    EXPECT_TRUE(has_run);
  });
}

TEST_F(BlockingImportPatcher, MainCoroutineSuspends) {
  run([&] {
    bool has_run = false;
    auto other = spawn([&] { has_run = true; });
    EXPECT_EQ(c_usleep(1000), 0);
    EXPECT_TRUE(has_run);
    await(other);
  });
}

TEST_F(BlockingImportPatcher, PatchesObjectsLoadedLater) {
  blocking::enable({"blocking_plugin"});
  void* handle = c_dlopen(TRUEASYNC_PLUGIN, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(handle, nullptr) << ::dlerror();
  auto* plugin_usleep = reinterpret_cast<int (*)(unsigned)>(::dlsym(handle, "plugin_usleep"));
  ASSERT_NE(plugin_usleep, nullptr);
  run([&] {
    auto task = spawn([&] { return plugin_usleep(60'000'000) == -1 && errno == ECANCELED; });
    yield_until_suspended(task.coroutine());
    EXPECT_EQ(task.coroutine().state(), CoroutineState::suspended);
    task.cancel();
    EXPECT_TRUE(await(task));
  });
  ::dlclose(handle);
  EXPECT_FALSE(blocking::refresh());
  // This dlopen() is not replaced: only refresh() finds the object.
  handle = ::dlopen(TRUEASYNC_PLUGIN, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(handle, nullptr);
  EXPECT_TRUE(blocking::refresh());
  EXPECT_FALSE(blocking::refresh());
  ::dlclose(handle);
}

TEST_F(BlockingImportPatcher, OriginalRunsInForkedChild) {
  run([&] {
    const SocketPair sockets = SocketPair::tcp();
    auto waiter = spawn([&] {
      char buffer[8];
      return c_recv(sockets[0], buffer, sizeof buffer, 0);
    });
    yield_until_suspended(waiter.coroutine());
    const SocketPair pipe = SocketPair::pipe();
    auto parent = spawn([&] {
      const pid_t child = c_fork();
      if (child == 0) {
        // Typical calls before exec(). They must not affect the waits of the parent.
        c_dup2(pipe[0], sockets[0]);
        c_close(sockets[0]);
        char buffer[8];
        const bool succeeded = c_usleep(1000) == 0 && c_read(pipe[0], buffer, sizeof buffer) == 2;
        ::_exit(succeeded ? 0 : 1);
      }
      c_write(pipe[1], "go", 2);
      int status = 0;
      EXPECT_EQ(c_waitpid(child, &status, 0), child);
      return status;
    });
    EXPECT_EQ(await(parent), 0);
    c_send(sockets[1], "x", 1, 0);
    EXPECT_EQ(await(waiter), 1);
  });
}

// SH-11
TEST_F(BlockingImportPatcher, ForkedRuntimeSuspendsInChild) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "ThreadSanitizer does not support coroutines in the child of a multithreaded process";
#endif
  run([&] {
    SocketPair sockets = SocketPair::tcp();
    char buffer[8];
    auto reader = spawn([&] { return c_recv(sockets[0], buffer, sizeof buffer, 0); });
    yield_until_suspended(reader.coroutine());
    c_send(sockets[1], "x", 1, 0);
    await(reader);
    const int child = fork_process();
    if (child == 0) {
      ssize_t got = 0;
      addrinfo* found = nullptr;
      auto waiter = spawn([&] { got = c_recv(sockets[0], buffer, sizeof buffer, 0); });
      yield_until_suspended(waiter.coroutine());
      const bool has_suspended = waiter.coroutine().state() == CoroutineState::suspended;
      c_send(sockets[1], "yz", 2, 0);
      await(waiter);
      const bool is_found = c_getaddrinfo("localhost", nullptr, nullptr, &found) == 0;
      ::_exit(has_suspended && got == 2 && is_found ? 0 : 1);
    }
    int status = 0;
    EXPECT_EQ(c_waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  });
}

TEST_F(BlockingImportPatcher, DumpNamesCallAndDescriptor) {
  run([&] {
    const SocketPair sockets = SocketPair::tcp();
    char buffer[8];
    pollfd entries[2] = {{sockets[0], POLLIN, 0}, {sockets[1], POLLIN, 0}};
    auto reader = spawn([&] { return c_recv(sockets[0], buffer, sizeof buffer, 0); });
    auto poller = spawn([&] { return c_poll(entries, 2, -1); });
    auto child = spawn([&] { return c_system("sleep 0.05"); });
    yield_until_suspended(child.coroutine());
    const std::string text = dump();
    EXPECT_NE(text.find("recv of descriptor " + std::to_string(sockets[0])), std::string::npos) << text;
    EXPECT_NE(text.find("poll, descriptor " + std::to_string(sockets[0]) + " readable"), std::string::npos) << text;
    EXPECT_NE(text.find("system on a worker thread"), std::string::npos) << text;
    c_send(sockets[1], "x", 1, 0);
    await(reader);
    c_send(sockets[1], "y", 1, 0);
    await(poller);
    await(child);
  });
}

}  // namespace
}  // namespace trueasync::test
