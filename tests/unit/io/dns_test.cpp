// resolve(), Lookup and reverse_lookup() with a fake resolver.
#include "trueasync/io/dns.hpp"

#include <netdb.h>

#include "fake_resolver.hpp"
#include "reactor/epoll/epoll_reactor.hpp"
#include "reactor/work_event.hpp"
#include "support/reactor_test.hpp"
#include "trueasync/io/net.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;
using detail::EpollReactor;
using detail::UvLookupLimiter;

class DnsTest : public ::testing::Test {
 protected:
  void SetUp() override { FakeResolver::reset(); }

  template <class F>
  void run(F&& function) {
    Runtime runtime;
    reactor_ = &static_cast<EpollReactor&>(detail::Access::scheduler(runtime).reactor());
    runtime.run([&] {
      function();
      // Abandoned lookups must finish before the next test counts resolver calls.
      while (!reactor_->requests().empty()) delay(1ms);
    });
    expect_no_leaks(runtime);
  }
  UvLookupLimiter& lookup_limiter() { return reactor_->lookup_limiter(); }
  static void wait_until(const std::function<bool()>& condition) {
    while (!condition()) delay(1ms);
  }

  EpollReactor* reactor_ = nullptr;
};

// REA-02
TEST_F(DnsTest, ResolveReturnsAllAddressesWithPort) {
  run([] {
    const auto addresses = resolve("a.test", 80);
    ASSERT_EQ(addresses.size(), 2u);
    EXPECT_EQ(addresses[0].to_string(), "10.0.0.1:80");
    EXPECT_EQ(addresses[1].to_string(), "10.0.0.2:80");
    EXPECT_EQ(FakeResolver::calls, 1);
  });
}

TEST_F(DnsTest, ConnectTriesEveryAddress) {
  run([] {
    Listener listener = listen(Address::loopback(AddressFamily::ipv4, 0));
    Io io = connect("local.test", listener.local_address().port(), {}, 10s);
    EXPECT_EQ(peer_address(io), listener.local_address());
  });
}

// DN-03
TEST_F(DnsTest, NumericAddressNeedsNoThread) {
  run([&] {
    EXPECT_EQ(resolve("127.0.0.1", 80).at(0).to_string(), "127.0.0.1:80");
    EXPECT_EQ(resolve("::1", "443").at(0).to_string(), "[::1]:443");
    EXPECT_EQ(resolve("[::1]", 1).at(0).to_string(), "[::1]:1");
    EXPECT_THROW(resolve("127.0.0.1", 80, {.family = AddressFamily::ipv6}), DnsError);
    EXPECT_THROW(resolve("", 80), DnsError);
    EXPECT_THROW(resolve(std::string_view("a.test\0b", 8), 80), DnsError);
    EXPECT_EQ(FakeResolver::calls, 0);
    EXPECT_EQ(lookup_limiter().begun, 0u);
  });
}

TEST_F(DnsTest, ErrorNamesHostAndReason) {
  run([] {
    try {
      resolve("nohost.invalid", 80);
      FAIL();
    } catch (const DnsError& error) {
      EXPECT_STREQ(error.what(), "resolve nohost.invalid: Name or service not known");
      EXPECT_EQ(error.code(), EAI_NONAME);
      EXPECT_FALSE(error.is_temporary());
    }
    try {
      resolve("again.test", 80);
      FAIL();
    } catch (const DnsError& error) {
      EXPECT_EQ(error.code(), EAI_AGAIN);
      EXPECT_TRUE(error.is_temporary());
    }
    EXPECT_THROW(resolve(std::string(2000, 'x'), 80), DnsError);
  });
}

// REA-02
TEST_F(DnsTest, ReverseLookupReturnsName) {
  run([] {
    const HostName name = reverse_lookup(Address::ip("10.0.0.1", 53));
    EXPECT_EQ(name.host, "a.test");
    EXPECT_EQ(name.service, "53");
    try {
      reverse_lookup(Address::ip("10.0.0.7", 53));
      FAIL();
    } catch (const DnsError& error) {
      EXPECT_STREQ(error.what(), "reverse lookup of 10.0.0.7: Name or service not known");
    }
    EXPECT_THROW(reverse_lookup(Address::unix_socket("/a")), MisuseError);
  });
}

// DN-01 R2 REA-04
TEST_F(DnsTest, CancelReturnsImmediatelyAndLateResultIsDropped) {
  run([&] {
    Task<void> lookup_task = spawn([] { resolve("slow.test", 80); });
    wait_until([] { return FakeResolver::blocked == 1; });
    lookup_task.cancel();
    EXPECT_THROW(await(lookup_task), Cancelled);
    EXPECT_EQ(reactor_->liveness().foreground, 0u) << "no coroutine waits for it";
    EXPECT_EQ(lookup_limiter().running, 1u) << "it still occupies its thread";
    FakeResolver::unblock(1);
    wait_until([&] { return lookup_limiter().running == 0; });
  });
}

// DN-01 TM-03
TEST_F(DnsTest, TimeoutDoesNotAffectNextLookup) {
  run([&] {
    EXPECT_THROW(resolve("slow.test", 80, {}, 5ms), TimeoutError);
    EXPECT_EQ(resolve("a.test", 80).size(), 2u);
    FakeResolver::unblock(1);
  });
}

// REA-02 SUS-01
TEST_F(DnsTest, LookupIsAwaitableAsEvent) {
  run([&] {
    const Lookup slow("slow.test");
    const Lookup quick("a.test");
    EXPECT_THROW(quick.addresses(), MisuseError) << "not started";
    Event* events[] = {&slow.event(), &quick.event()};
    EXPECT_EQ(wait_any(events), 1u);
    EXPECT_EQ(quick.addresses().size(), 2u);
    FakeResolver::unblock(1);
    wait_until([&] { return lookup_limiter().running == 0; });
    EXPECT_FALSE(slow.is_done()) << "dropped when the wait ended";
    FakeResolver::unblock(1);
    Event* again[] = {&slow.event()};
    wait_any(again);
    EXPECT_EQ(slow.addresses().at(0).host(), "10.0.0.9");
  });
}

// Work on a worker thread, as file I/O submits it.
class EmptyWork final : public detail::WorkEvent {
 public:
  EmptyWork() : WorkEvent("empty work") {}
  void run() noexcept override {}
};

// DN-03
TEST_F(DnsTest, FileOperationsRunWhileLookupsBlock) {
  constexpr int kLookups = 20;
  run([&] {
    std::vector<Task<void>> lookup_tasks;
    for (int i = 0; i < kLookups; ++i) lookup_tasks.push_back(spawn([] { resolve("slow.test", 80); }));
    wait_until([] { return FakeResolver::blocked == static_cast<int>(UvLookupLimiter::kMaxConcurrent); });
    for (int i = 0; i < 50; ++i) {
      Ref<EmptyWork> work = Ref<EmptyWork>::adopt(new EmptyWork);
      reactor_->submit(*work);
      Event* events[] = {work.get()};
      wait_any(events, 20s);
    }
    EXPECT_EQ(FakeResolver::calls, static_cast<int>(UvLookupLimiter::kMaxConcurrent))
        << "other lookups wait in the queue";
    FakeResolver::unblock(kLookups);
    for (auto& lookup_task : lookup_tasks) await(lookup_task);
    EXPECT_EQ(FakeResolver::calls, kLookups);
  });
}

// DN-03 CXL-01
TEST_F(DnsTest, CancelledQueuedLookupNeverStarts) {
  run([&] {
    std::vector<Task<void>> lookup_tasks;
    std::string order;
    for (int i = 0; i < 6; ++i) {
      lookup_tasks.push_back(spawn([i, &order] {
        resolve("slow.test", 80);
        order += std::to_string(i);
      }));
    }
    wait_until([] { return FakeResolver::blocked == static_cast<int>(UvLookupLimiter::kMaxConcurrent); });
    lookup_tasks[3].cancel();
    EXPECT_THROW(await(lookup_tasks[3]), Cancelled);
    FakeResolver::unblock(5);
    for (int i : {0, 1, 2, 4, 5}) await(lookup_tasks[static_cast<std::size_t>(i)]);
    EXPECT_EQ(FakeResolver::calls, 5);
  });
}

// DN-02 SH-01
TEST_F(DnsTest, RuntimeEndsDuringBlockedLookup) {
  {
    Runtime runtime;
    runtime.run([] {
      // A lookup that no thread has started would be dropped instead.
      auto stop = spawn([] { wait_until([] { return FakeResolver::blocked == 1; }); });
      EXPECT_THROW(resolve("slow.test", 80, {}, stop.event()), OperationCancelled);
    });
  }
  EXPECT_EQ(FakeResolver::blocked, 1) << "the thread still runs, on memory that it owns";
  FakeResolver::unblock(1);
  while (FakeResolver::blocked != 0) std::this_thread::yield();
}

TEST(DnsSimulatedReactorTest, NumericAddressResolvesAndNameFails) {
  auto runtime = make_runtime(ReactorKind::simulated);
  runtime->run([] {
    EXPECT_EQ(resolve("127.0.0.1", 1).size(), 1u);
    EXPECT_THROW(resolve("a.test", 1), Error);
  });
  EXPECT_THROW(resolve("a.test", 1), MisuseError) << "outside a runtime";
}

TEST_F(DnsTest, TokenEndsResolve) {
  run([&] {
    auto stop = spawn([] { wait_until([] { return FakeResolver::blocked == 1; }); });
    EXPECT_THROW(resolve("slow.test", 80, {}, stop.event()), OperationCancelled);
    EXPECT_EQ(resolve("a.test", 80).size(), 2u);
    FakeResolver::unblock(1);
  });
}

}  // namespace
}  // namespace trueasync::test
