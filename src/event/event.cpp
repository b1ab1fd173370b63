#include "trueasync/event.hpp"

#include "base/check.hpp"
#include "trueasync/error.hpp"

namespace trueasync {

Event::~Event() {
  TRUEASYNC_CHECK(subscribers_.empty(), "event destroyed with subscribers");
  TRUEASYNC_CHECK(starts_ == 0, "event destroyed while started");
}

void Event::subscribe(Subscription& subscription) noexcept {
  TRUEASYNC_CHECK(!subscription.is_linked(), "subscription is already linked to an event");
  subscription.event = this;
  subscribers_.push_back(subscription);
}

void Event::unsubscribe(Subscription& subscription) noexcept {
  if (subscription.is_linked()) subscription.unlink();
}

void Event::count_liveness(int by) noexcept {
  if (!liveness_) return;
  std::size_t& count = background_ ? liveness_->background : liveness_->foreground;
  count += static_cast<std::size_t>(by);
}

std::exception_ptr Event::start() noexcept {
  if (closed_) return std::make_exception_ptr(MisuseError("wait for " + describe() + ": the event is closed"));
  if (starts_ == 0) {
    if (auto error = on_start()) return error;
    count_liveness(1);
  }
  ++starts_;
  return nullptr;
}

void Event::stop() noexcept {
  if (starts_ == 0) return;
  if (--starts_ != 0) return;
  count_liveness(-1);
  on_stop();
}

void Event::close(std::exception_ptr reason) noexcept {
  if (closed_) return;
  closed_ = true;
  Ref<Event> keep_alive(this);
  notify({0, std::move(reason)});
  if (starts_ == 0) return;
  starts_ = 0;
  count_liveness(-1);
  on_stop();
}

void Event::set_background() noexcept {
  TRUEASYNC_CHECK(starts_ == 0, "set_background() called on a started event");
  background_ = true;
}

bool Event::replay(Notification&) const noexcept { return false; }

bool Event::reclaim(Subscription&) noexcept { return true; }

void Event::notify(Notification notification) noexcept {
  before_notify(notification);
  if (subscribers_.empty()) return;
  Ref<Event> keep_alive(this);  // a subscriber may drop the last reference
  detail::IntrusiveList<Subscription> round;
  round.splice_back(subscribers_);
  while (Subscription* subscription = round.pop_front()) {
    if (subscription->persistent) subscribers_.push_back(*subscription);
    subscription->callback(*subscription, notification);
  }
}

}  // namespace trueasync
