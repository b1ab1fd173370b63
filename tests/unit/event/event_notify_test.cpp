// Event: subscribe, unsubscribe, notify.
#include <gtest/gtest.h>

#include "probe_event.hpp"

namespace trueasync::test {
namespace {

// EVT-01
TEST(EventNotify, NotifiesSubscribersInFifoOrder) {
  Ref<ProbeEvent> event = make_probe();
  std::string order;
  ProbeSubscriber first;
  ProbeSubscriber second;
  first.action = [&] { order += 'a'; };
  second.action = [&] { order += 'b'; };
  event->subscribe(first);
  event->subscribe(second);
  event->fire(7);
  EXPECT_EQ(order, "ab");
  EXPECT_EQ(first.values, Values{7});
  EXPECT_EQ(second.values, Values{7});
  EXPECT_FALSE(event->has_subscribers());
}

// EVT-01
TEST(EventNotify, PersistentSubscriberIsNotifiedRepeatedly) {
  Ref<ProbeEvent> event = make_probe();
  ProbeSubscriber once;
  ProbeSubscriber always(true);
  event->subscribe(once);
  event->subscribe(always);
  event->fire(1);
  event->fire(2);
  EXPECT_EQ(once.values, Values{1});
  EXPECT_EQ(always.values, (Values{1, 2}));
  event->unsubscribe(always);
}

// AW-06 AW-07
TEST(EventNotify, UnsubscribeKeepsOtherSubscribers) {
  Ref<ProbeEvent> event = make_probe();
  ProbeSubscriber first;
  ProbeSubscriber second;
  ProbeSubscriber third;
  for (ProbeSubscriber* each : {&first, &second, &third}) event->subscribe(*each);
  event->unsubscribe(second);
  event->unsubscribe(second);
  event->fire();
  EXPECT_EQ(first.values.size(), 1u);
  EXPECT_TRUE(second.values.empty());
  EXPECT_EQ(third.values.size(), 1u);
}

// EVT-02
TEST(EventNotify, UnsubscribeDuringNotifySkipsPendingSubscriber) {
  Ref<ProbeEvent> event = make_probe();
  ProbeSubscriber first;
  ProbeSubscriber second;
  ProbeSubscriber third;
  for (ProbeSubscriber* each : {&first, &second, &third}) event->subscribe(*each);
  first.action = [&] {
    event->unsubscribe(first);
    event->unsubscribe(second);
  };
  event->fire();
  EXPECT_EQ(first.values.size(), 1u);
  EXPECT_TRUE(second.values.empty());
  EXPECT_EQ(third.values.size(), 1u);
}

// EVT-02
TEST(EventNotify, PersistentSubscriberMayUnsubscribeInCallback) {
  Ref<ProbeEvent> event = make_probe();
  ProbeSubscriber leaving(true);
  ProbeSubscriber staying(true);
  leaving.action = [&] { event->unsubscribe(leaving); };
  event->subscribe(leaving);
  event->subscribe(staying);
  event->fire(1);
  event->fire(2);
  EXPECT_EQ(leaving.values, Values{1});
  EXPECT_EQ(staying.values, (Values{1, 2}));
  event->unsubscribe(staying);
}

// EVT-02
TEST(EventNotify, SubscriberAddedDuringNotifyWaitsForNextNotification) {
  Ref<ProbeEvent> event = make_probe();
  ProbeSubscriber old;
  ProbeSubscriber newcomer;
  ProbeSubscriber again;
  old.action = [&] { event->subscribe(newcomer); };
  again.action = [&] {
    if (again.values.size() == 1) event->subscribe(again);
  };
  event->subscribe(old);
  event->subscribe(again);
  event->fire(1);
  EXPECT_TRUE(newcomer.values.empty());
  EXPECT_EQ(again.values, Values{1});
  event->fire(2);
  EXPECT_EQ(newcomer.values, Values{2});
  EXPECT_EQ(again.values, (Values{1, 2}));
}

// EVT-02
TEST(EventNotify, NestedNotifyCallsEachSubscriberOnce) {
  Ref<ProbeEvent> event = make_probe();
  ProbeSubscriber first;
  ProbeSubscriber newcomer;
  ProbeSubscriber last;
  first.action = [&] {
    event->subscribe(newcomer);
    event->fire(2);
  };
  event->subscribe(first);
  event->subscribe(last);
  event->fire(1);
  EXPECT_EQ(first.values, Values{1});
  EXPECT_EQ(newcomer.values, Values{2}) << "was there when the inner one began";
  EXPECT_EQ(last.values, Values{1}) << "still belongs to the outer one";
}

// EVT-01
TEST(EventNotify, BeforeNotifyMayChangeNotification) {
  Ref<ProbeEvent> event = make_probe();
  ProbeSubscriber subscriber;
  event->before = [](Notification& notification) { notification.value *= 10; };
  event->subscribe(subscriber);
  event->fire(4);
  EXPECT_EQ(subscriber.values, Values{40});
}

// EVT-02 EVT-04
TEST(EventNotify, SubscriberMayReleaseLastReference) {
  bool disposed = false;
  Ref<ProbeEvent> event = make_probe();
  event->disposed = &disposed;
  ProbeSubscriber first;
  ProbeSubscriber second;
  first.action = [&] { event = nullptr; };
  second.action = [&] { EXPECT_FALSE(disposed); };
  event->subscribe(first);
  event->subscribe(second);
  event->fire(3);
  EXPECT_EQ(second.values, Values{3});
  EXPECT_TRUE(disposed);
}

// R3 IO-05
TEST(EventNotify, ErrorObjectOutlivesNotification) {
  struct Listener : Subscription {
    std::string text;
  };
  Ref<ProbeEvent> event = make_probe();
  Listener listeners[3];
  for (Listener& each : listeners) {
    each.callback = [](Subscription& self, const Notification& notification) noexcept {
      std::exception_ptr mine = notification.error;
      try {
        std::rethrow_exception(std::exchange(mine, nullptr));
      } catch (const std::runtime_error& error) {
        static_cast<Listener&>(self).text = error.what();
      }
    };
    event->subscribe(each);
  }
  event->fire(0, std::make_exception_ptr(std::runtime_error("the line is dead")));
  for (Listener& each : listeners) EXPECT_EQ(each.text, "the line is dead");
}

}  // namespace
}  // namespace trueasync::test
