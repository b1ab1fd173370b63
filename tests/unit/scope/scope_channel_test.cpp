// Channels that end with a scope.
#include "support/reactor_test.hpp"
#include "trueasync/channel.hpp"
#include "trueasync/scope.hpp"

using namespace std::chrono_literals;

namespace trueasync::test {
namespace {

class ScopeChannel : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(ScopeChannel);

CloseReason reason_of(const Channel<int>& channel) {
  try {
    channel.recv();
  } catch (const ChannelError& error) {
    return error.reason();
  }
  return CloseReason::none;
}

TEST_P(ScopeChannel, TheEndOfItsScopeClosesIt) {
  // CH-14
  run([] {
    Scope scope = Scope::inherit();
    const Channel<int> channel = scope.own(Channel<int>());
    auto outside = spawn([&] { return reason_of(channel); });
    yield();
    scope.dispose();
    EXPECT_EQ(await(outside), CloseReason::scope_disposed);
    EXPECT_EQ(channel.close_reason(), CloseReason::scope_disposed);
  });
}

TEST_P(ScopeChannel, ValuesStayToBeReceivedAndThenTheReasonIsThrown) {
  // CH-16
  run([] {
    Scope scope = Scope::inherit();
    Channel<int> channel = scope.own(Channel<int>(2));
    scope.spawn([channel] {
      channel.send(1);
      channel.send(2);
    });
    scope.await_completion();
    EXPECT_FALSE(channel.is_closed());  // others may come
    scope.dispose();
    EXPECT_EQ(channel.recv(), 1);
    EXPECT_EQ(channel.recv(), 2);
    EXPECT_EQ(reason_of(channel), CloseReason::scope_disposed);
    EXPECT_THROW(channel.next(), ChannelError);  // CH-12: not what a normal end looks like
  });
}

TEST_P(ScopeChannel, ItIsOpenUntilTheLastCoroutineOfTheScopeHasEnded) {
  // CH-14
  run([] {
    Scope above = Scope::inherit();
    Scope scope = Scope::inherit(above);
    const Channel<int> channel = scope.own(Channel<int>(1));
    scope.spawn([&] {
      try {
        delay(1h);
      } catch (const Cancelled&) {
        delay(1ms);
        channel.send(7);  // the last word
        throw;
      }
    });
    yield();
    above.cancel();
    EXPECT_FALSE(channel.is_closed());
    EXPECT_EQ(channel.recv(), 7);
    scope.await_after_cancellation();
    EXPECT_EQ(channel.close_reason(), CloseReason::scope_disposed);
  });
}

TEST_P(ScopeChannel, TheFirstCauseStays) {
  // CH-14
  run([] {
    Scope scope = Scope::inherit();
    const Channel<int> channel = scope.own(Channel<int>());
    channel.close();
    scope.dispose();
    EXPECT_EQ(channel.close_reason(), CloseReason::closed);
    EXPECT_EQ(scope.own(Channel<int>()).close_reason(), CloseReason::scope_disposed);  // too late
    EXPECT_THROW(Scope::root().own(channel), MisuseError);
  });
}

TEST_P(ScopeChannel, ClosedOnesAreLetGoWhileTheScopeLives) {
  // R4
  run([] {
    Scope scope = Scope::inherit();
    const auto token = std::make_shared<int>();
    for (int i = 0; i < 1000; ++i) {
      Channel<std::shared_ptr<int>> channel = scope.own(Channel<std::shared_ptr<int>>(1));
      channel.send(token);
    }
    EXPECT_LT(token.use_count(), 20);
  });
}

}  // namespace
}  // namespace trueasync::test
