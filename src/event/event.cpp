#include "trueasync/event.hpp"

#include "base/check.hpp"
#include "trueasync/error.hpp"

namespace trueasync {

Event::~Event() {
  TRUEASYNC_CHECK(subscribers_.empty(), "an event died while somebody was subscribed");
  TRUEASYNC_CHECK(starts_ == 0, "an event died while it was started");
}

void Event::subscribe(Subscription& subscription) noexcept {
  TRUEASYNC_CHECK(!subscription.is_linked(), "a subscription can be in one event only");
  subscription.event = this;
  subscribers_.push_back(subscription);
}

void Event::unsubscribe(Subscription& subscription) noexcept {
  if (subscription.is_linked()) subscription.unlink();
}

void Event::count_liveness(int by) noexcept {
  if (!liveness_) return;
  std::size_t& count = hidden_ ? liveness_->background : liveness_->foreground;
  count += static_cast<std::size_t>(by);
}

std::exception_ptr Event::start() noexcept {
  if (closed_) return std::make_exception_ptr(MisuseError("a closed event can't be started: " + describe()));
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
  Ref<Event> keep(this);
  notify({0, std::move(reason)});
  if (starts_ == 0) return;
  starts_ = 0;
  count_liveness(-1);
  on_stop();
}

void Event::set_background() noexcept {
  TRUEASYNC_CHECK(starts_ == 0, "an event is hidden before it is started");
  hidden_ = true;
}

bool Event::replay(Notification&) const noexcept { return false; }

bool Event::reclaim(Subscription&) noexcept { return true; }

void Event::notify(Notification notification) noexcept {
  before_notify(notification);
  if (subscribers_.empty()) return;
  Ref<Event> keep(this);  // a subscriber may drop the last reference
  detail::IntrusiveList<Subscription> round;
  round.splice_back(subscribers_);
  while (Subscription* subscription = round.pop_front()) {
    if (subscription->persistent) subscribers_.push_back(*subscription);
    subscription->callback(*subscription, notification);
  }
}

}  // namespace trueasync
