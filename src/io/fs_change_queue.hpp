// FsChangeQueue: the changes of a watch on their way to its user. Merges changes by file name and defers them while
// more changes are reported.
//
// The queue starts with the ready changes, followed by the deferred ones. Deferred changes become ready when no change
// was pushed for `debounce`, or when the oldest of them was deferred for `max_delay`. The event fires when a change is
// ready or the queue has ended.
//
// Thread safety: the runtime's thread; uses the reactor's clock.
#pragma once

#include <deque>
#include <unordered_map>

#include "reactor/reactor.hpp"
#include "trueasync/io/fs_watch.hpp"

namespace trueasync::detail {

struct FsDebounce {
  std::chrono::nanoseconds debounce{0};
  std::chrono::nanoseconds max_delay{0};  // 0: unlimited
  bool coalesce = true;
};

class FsChangeQueue final : public Event, public ReactorObserver {
 public:
  FsChangeQueue(Reactor& reactor, FsDebounce debounce, std::string path);

  // take() sets `event.path`. Throws std::bad_alloc.
  void push(FsEvent event);
  std::optional<FsEvent> take();
  std::size_t size() const noexcept { return items_.size(); }

  // Accepts no more changes and makes the queued ones ready. `error` is delivered after them.
  void end(std::exception_ptr error = nullptr) noexcept;
  void drop_all() noexcept;
  bool has_ended() const noexcept { return ended_; }
  std::exception_ptr take_error() noexcept { return std::exchange(error_, nullptr); }

  bool replay(Notification& result) const noexcept override;
  std::string describe() const override { return "changes in " + path_; }
  void on_reactor_closed() noexcept override;

 protected:
  std::exception_ptr on_start() noexcept override;
  ~FsChangeQueue() override;

 private:
  struct ReleaseTimer : Timer {
    explicit ReleaseTimer(FsChangeQueue& owner) noexcept : Timer(&FsChangeQueue::on_timer), queue(owner) {}
    FsChangeQueue& queue;
  };
  static void on_timer(Timer& timer) noexcept;

  bool merge(const FsEvent& event, bool& was_ready) noexcept;
  void defer() noexcept;
  void release_deferred() noexcept;
  TimePoint release_time() const noexcept;

  Reactor* reactor_;
  FsDebounce debounce_;
  std::string path_;
  std::deque<FsEvent> items_;
  std::size_t ready_ = 0;  // the first `ready_` items are ready
  struct Slot {
    FsEvent* event;
    std::uint64_t sequence;  // position among all pushed items: distinguishes ready from deferred items
  };
  std::unordered_map<std::string, Slot> by_name_;
  std::uint64_t taken_ = 0;
  TimePoint first_deferred_{};
  TimePoint last_deferred_{};
  bool ended_ = false;
  std::exception_ptr error_;
  ReleaseTimer timer_{*this};
};

}  // namespace trueasync::detail
