// Changes on their way to whoever watches: merged by name, held back while they keep coming (FS-02).
//
// One queue: first those that may be fetched, then those held back until there was no change for `debounce`, or the
// oldest of them has waited for `max_hold`. Knows nothing of where changes come from, so its time can be virtual.
// As an event it fires when there is something to fetch or it has ended. Threads: the runtime's.
#pragma once

#include <deque>
#include <unordered_map>

#include "reactor/reactor.hpp"
#include "trueasync/fs_watch.hpp"

namespace trueasync::detail {

struct FsDebounce {
  std::chrono::nanoseconds debounce{0};
  std::chrono::nanoseconds max_hold{0};
  bool coalesce = true;
};

class FsChangeQueue final : public Event, public ReactorObserver {
 public:
  FsChangeQueue(Reactor& reactor, FsDebounce hold, std::string path);

  // `event.path` is filled in when it is fetched. Throws std::bad_alloc.
  void push(FsEvent event);
  std::optional<FsEvent> take();
  std::size_t size() const noexcept { return items_.size(); }

  // Nothing will follow. What is there can still be fetched, at once; with an error it comes after that.
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
  struct Due : Timer {
    explicit Due(FsChangeQueue& owner) noexcept : Timer(&FsChangeQueue::on_due), queue(owner) {}
    FsChangeQueue& queue;
  };
  static void on_due(Timer& deadline) noexcept;

  bool merge(const FsEvent& event, bool& was_ready) noexcept;
  void defer() noexcept;
  void release_deferred() noexcept;
  TimePoint release_time() const noexcept;

  Reactor* reactor_;
  FsDebounce hold_;
  std::string path_;
  std::deque<FsEvent> items_;
  std::size_t ready_ = 0;  // so many of the first may be fetched
  struct Slot {
    FsEvent* event;
    std::uint64_t number;  // counts what was pushed, so that held and ready can be told apart
  };
  std::unordered_map<std::string, Slot> by_name_;
  std::uint64_t taken_ = 0;
  TimePoint first_held_{};
  TimePoint last_held_{};
  bool ended_ = false;
  std::exception_ptr error_;
  Due due_{*this};
};

}  // namespace trueasync::detail
