// Lookups: what comes back, what never goes to a thread, and what happens when nobody waits any more.
#include "trueasync/dns.hpp"

#include <netdb.h>

#include "fake_resolver.hpp"
#include "reactor/epoll/epoll_reactor.hpp"
#include "reactor/work_event.hpp"
#include "support/reactor_test.hpp"
#include "trueasync/listener.hpp"
#include "trueasync/net.hpp"

namespace trueasync::test {
namespace {

using namespace std::chrono_literals;
using detail::EpollReactor;
using detail::UvLookupLimiter;

class Dns : public ::testing::Test {
 protected:
  void SetUp() override { FakeResolver::reset(); }

  template <class F>
  void run(F&& function) {
    Runtime runtime;
    reactor_ = &static_cast<EpollReactor&>(runtime.scheduler().reactor());
    runtime.run([&] {
      function();
      // Threads that nobody waits for any more must be through before the next test counts calls.
      while (!reactor_->requests().empty()) delay(1ms);
    });
    expect_no_leaks(runtime);
  }
  UvLookupLimiter& budget() { return reactor_->lookup_budget(); }
  static void until(const std::function<bool()>& condition) {
    while (!condition()) delay(1ms);
  }

  EpollReactor* reactor_ = nullptr;
};

TEST_F(Dns, AHostHasAllItsAddressesInOrderWithThePort) {
  // REA-02
  run([] {
    const auto found = resolve("a.test", 80);
    ASSERT_EQ(found.size(), 2u);
    EXPECT_EQ(found[0].to_string(), "10.0.0.1:80");
    EXPECT_EQ(found[1].to_string(), "10.0.0.2:80");
    EXPECT_EQ(FakeResolver::calls, 1);
  });
}

TEST_F(Dns, ConnectTriesEveryAddressOfName) {
  run([] {
    Listener listener = listen(Address::loopback(AddressFamily::ipv4, 0));
    Io io = connect("local.test", listener.local_address().port(), {.timeout = 10s});
    EXPECT_EQ(peer_address(io), listener.local_address());
  });
}

TEST_F(Dns, NumericAddressesNeverTouchAThread) {
  // DN-03
  run([&] {
    EXPECT_EQ(resolve("127.0.0.1", 80).at(0).to_string(), "127.0.0.1:80");
    EXPECT_EQ(resolve("::1", "443").at(0).to_string(), "[::1]:443");
    EXPECT_EQ(resolve("[::1]", 1).at(0).to_string(), "[::1]:1");
    EXPECT_THROW(resolve("127.0.0.1", 80, {.family = AddressFamily::ipv6}), DnsError);
    EXPECT_THROW(resolve("", 80), DnsError);
    EXPECT_THROW(resolve(std::string_view("a.test\0b", 8), 80), DnsError);
    EXPECT_EQ(FakeResolver::calls, 0);
    EXPECT_EQ(budget().begun, 0u);
  });
}

TEST_F(Dns, AFailureSaysWhatWasLookedForAndWhy) {
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

TEST_F(Dns, AnAddressHasAName) {
  // REA-02
  run([] {
    const HostName name = reverse_lookup(Address::ip("10.0.0.1", 53));
    EXPECT_EQ(name.host, "a.test");
    EXPECT_EQ(name.service, "53");
    try {
      reverse_lookup(Address::ip("10.0.0.7", 53));
      FAIL();
    } catch (const DnsError& error) {
      EXPECT_STREQ(error.what(), "reverse 10.0.0.7: Name or service not known");
    }
    EXPECT_THROW(reverse_lookup(Address::unix_socket("/a")), MisuseError);
  });
}

TEST_F(Dns, WhoIsCancelledIsFreeAtOnceAndTheLateAnswerGoesNowhere) {
  // DN-01 R2 REA-04
  run([&] {
    Task<void> asker = spawn([] { resolve("slow.test", 80); });
    until([] { return FakeResolver::blocked == 1; });
    asker.cancel();
    EXPECT_THROW(await(asker), Cancelled);
    EXPECT_EQ(reactor_->liveness().foreground, 0u) << "nobody waits for it";
    EXPECT_EQ(budget().running, 1u) << "but it has its thread still";
    FakeResolver::open(1);
    until([&] { return budget().running == 0; });
  });
}

TEST_F(Dns, ALimitEndsTheWaitNotTheNextLookup) {
  // DN-01 TM-03
  run([&] {
    EXPECT_THROW(resolve("slow.test", 80, {.timeout = 5ms}), TimeoutError);
    EXPECT_EQ(resolve("a.test", 80).size(), 2u);
    FakeResolver::open(1);
  });
}

TEST_F(Dns, ALookupIsAnEventAmongOthers) {
  // REA-02 SUS-01
  run([&] {
    const Lookup slow("slow.test");
    const Lookup quick("a.test");
    EXPECT_THROW(quick.addresses(), MisuseError) << "not asked yet";
    Event* events[] = {&slow.event(), &quick.event()};
    EXPECT_EQ(wait_any(events), 1u);
    EXPECT_EQ(quick.addresses().size(), 2u);
    FakeResolver::open(1);
    until([&] { return budget().running == 0; });
    EXPECT_FALSE(slow.is_done()) << "it was taken back when the wait ended";
    FakeResolver::open(1);
    Event* again[] = {&slow.event()};
    wait_any(again);
    EXPECT_EQ(slow.addresses().at(0).host(), "10.0.0.9");
  });
}

// One byte of work, as file I/O does it.
class SomeWork final : public detail::WorkEvent {
 public:
  SomeWork() : WorkEvent("some work") {}
  void run() noexcept override {}
};

TEST_F(Dns, FileWorkGoesOnWhileLookupsBlock) {
  // DN-03
  constexpr int kAskers = 20;
  run([&] {
    std::vector<Task<void>> askers;
    for (int i = 0; i < kAskers; ++i) askers.push_back(spawn([] { resolve("slow.test", 80); }));
    until([] { return FakeResolver::blocked == static_cast<int>(UvLookupLimiter::kMaxConcurrent); });
    for (int i = 0; i < 50; ++i) {
      Ref<SomeWork> work = Ref<SomeWork>::adopt(new SomeWork);
      reactor_->submit(*work);
      Event* events[] = {work.get()};
      wait_any(events, 20s);
    }
    EXPECT_EQ(FakeResolver::calls, static_cast<int>(UvLookupLimiter::kMaxConcurrent)) << "the others wait in our queue";
    FakeResolver::open(kAskers);
    for (auto& asker : askers) await(asker);
    EXPECT_EQ(FakeResolver::calls, kAskers);
  });
}

TEST_F(Dns, WhoLeavesTheQueueNeverReachesTheResolver) {
  // DN-03 CXL-01
  run([&] {
    std::vector<Task<void>> askers;
    std::string order;
    for (int i = 0; i < 6; ++i) {
      askers.push_back(spawn([i, &order] {
        resolve("slow.test", 80);
        order += std::to_string(i);
      }));
    }
    until([] { return FakeResolver::blocked == static_cast<int>(UvLookupLimiter::kMaxConcurrent); });
    askers[3].cancel();
    EXPECT_THROW(await(askers[3]), Cancelled);
    FakeResolver::open(5);
    for (int i : {0, 1, 2, 4, 5}) await(askers[static_cast<std::size_t>(i)]);
    EXPECT_EQ(FakeResolver::calls, 5);
  });
}

TEST_F(Dns, ARuntimeEndsWhileALookupIsWedged) {
  // DN-02 SH-01
  {
    Runtime runtime;
    runtime.run([] { EXPECT_THROW(resolve("slow.test", 80, {.timeout = 1ms}), TimeoutError); });
    while (FakeResolver::blocked == 0) std::this_thread::yield();
  }
  EXPECT_EQ(FakeResolver::blocked, 1) << "the thread is at it still, in memory that is its own";
  FakeResolver::open(1);
  while (FakeResolver::blocked != 0) std::this_thread::yield();
}

TEST(DnsSimulated, NumbersWorkWithoutALoopAndNamesSayWhatTheyNeed) {
  auto runtime = make_runtime(ReactorKind::simulated);
  runtime->run([] {
    EXPECT_EQ(resolve("127.0.0.1", 1).size(), 1u);
    EXPECT_THROW(resolve("a.test", 1), Error);
  });
  EXPECT_THROW(resolve("a.test", 1), MisuseError) << "outside a runtime";
}

}  // namespace
}  // namespace trueasync::test
