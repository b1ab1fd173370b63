// Channels owned by a scope: closed when the scope finishes.
#include "support/reactor_test.hpp"
#include "trueasync/scope/scope.hpp"
#include "trueasync/sync/channel.hpp"

using namespace std::chrono_literals;

namespace trueasync::test {
namespace {

class ScopeChannelTest : public ReactorTest {};
TRUEASYNC_TEST_ON_ALL_REACTORS(ScopeChannelTest);

CloseReason close_reason_seen_by_recv(const Channel<int>& channel) {
  try {
    channel.recv();
  } catch (const ChannelError& error) {
    return error.reason();
  }
  return CloseReason::none;
}

// CH-14
TEST_P(ScopeChannelTest, DisposedScopeClosesItsChannel) {
  run([] {
    Scope scope = Scope::inherit();
    const Channel<int> channel = scope.own(Channel<int>());
    auto receiver = spawn([&] { return close_reason_seen_by_recv(channel); });
    yield();
    scope.dispose();
    EXPECT_EQ(await(receiver), CloseReason::scope_disposed);
    EXPECT_EQ(channel.close_reason(), CloseReason::scope_disposed);
  });
}

// CH-12 CH-16
TEST_P(ScopeChannelTest, BufferedValuesAreReceivedBeforeCloseReason) {
  run([] {
    Scope scope = Scope::inherit();
    Channel<int> channel = scope.own(Channel<int>(2));
    scope.spawn([channel] {
      channel.send(1);
      channel.send(2);
    });
    scope.await_completion();
    EXPECT_FALSE(channel.is_closed());  // more coroutines may be spawned
    scope.dispose();
    EXPECT_EQ(channel.recv(), 1);
    EXPECT_EQ(channel.recv(), 2);
    EXPECT_EQ(close_reason_seen_by_recv(channel), CloseReason::scope_disposed);
    EXPECT_THROW(channel.next(), ChannelError);  // not the end of the stream
  });
}

// CH-14
TEST_P(ScopeChannelTest, StaysOpenUntilLastCoroutineHasFinished) {
  run([] {
    Scope parent = Scope::inherit();
    Scope scope = Scope::inherit(parent);
    const Channel<int> channel = scope.own(Channel<int>(1));
    scope.spawn([&] {
      try {
        delay(1h);
      } catch (const Cancelled&) {
        delay(1ms);
        channel.send(7);  // the channel is still open
        throw;
      }
    });
    yield();
    parent.cancel();
    EXPECT_FALSE(channel.is_closed());
    EXPECT_EQ(channel.recv(), 7);
    scope.await_after_cancellation();
    EXPECT_EQ(channel.close_reason(), CloseReason::scope_disposed);
  });
}

// CH-14
TEST_P(ScopeChannelTest, FirstCloseReasonIsKept) {
  run([] {
    Scope scope = Scope::inherit();
    const Channel<int> channel = scope.own(Channel<int>());
    channel.close();
    scope.dispose();
    EXPECT_EQ(channel.close_reason(), CloseReason::closed);
    EXPECT_EQ(scope.own(Channel<int>()).close_reason(), CloseReason::scope_disposed);  // the scope has finished
    EXPECT_THROW(Scope::root().own(channel), MisuseError);
  });
}

// R4
TEST_P(ScopeChannelTest, ScopeReleasesClosedChannels) {
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
