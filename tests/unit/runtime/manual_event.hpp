// Events that a test fires by hand, and a thing to be handed from one waiter to the next.
#pragma once

#include <algorithm>
#include <deque>
#include <string>
#include <utility>

#include "trueasync/trueasync.hpp"

namespace trueasync::test {

// Counts what happens to it, so that a test can say "stopped exactly once".
class ManualEvent final : public Event {
 public:
  static Ref<ManualEvent> make(std::string text = "manual event") {
    return Ref<ManualEvent>::adopt(new ManualEvent(std::move(text)));
  }

  void fire(Notification notification = {}) noexcept { notify(std::move(notification)); }
  std::string describe() const override { return text_; }
  const Event* blocking_coroutine() const noexcept override { return held_by; }
  bool reclaim(Subscription&) noexcept override {
    ++reclaims;
    return gives_back;
  }

  int starts = 0;
  int stops = 0;
  int reclaims = 0;
  bool gives_back = true;
  const Event* held_by = nullptr;

 private:
  explicit ManualEvent(std::string text) : text_(std::move(text)) {}
  std::exception_ptr on_start() noexcept override {
    ++starts;
    return nullptr;
  }
  void on_stop() noexcept override { ++stops; }

  std::string text_;
};

inline void wait_for(Event& event, SourceLocation place = SourceLocation::current()) {
  Event* events[] = {&event};
  wait_any(events, std::nullopt, place);
}

// One may have it at a time; it goes to the oldest waiter. Each waiter waits for an event of its own.
class HandoffEvent {
 public:
  void take() {
    if (is_free_) {
      is_free_ = false;
      return;
    }
    Leave place{*this, Ref<Place>::adopt(new Place(*this))};
    queue_.push_back(place.mine.get());
    wait_for(*place.mine);
  }
  void give() noexcept {
    if (queue_.empty()) {
      is_free_ = true;
      return;
    }
    Place* next = queue_.front();
    queue_.pop_front();
    next->grant();
  }
  bool is_free() const noexcept { return is_free_; }
  std::size_t waiting() const noexcept { return queue_.size(); }

 private:
  class Place final : public Event {
   public:
    explicit Place(HandoffEvent& baton) noexcept : baton_(baton) {}
    void grant() noexcept { notify({}); }
    std::string describe() const override { return "the baton"; }
    bool reclaim(Subscription&) noexcept override {
      baton_.give();
      return true;
    }

   private:
    HandoffEvent& baton_;
  };
  struct Leave {
    HandoffEvent& baton;
    Ref<Place> mine;
    ~Leave() { std::erase(baton.queue_, mine.get()); }
  };

  bool is_free_ = true;
  std::deque<Place*> queue_;
};

}  // namespace trueasync::test
