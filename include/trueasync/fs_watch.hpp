// FsWatcher: tells what changes in a directory, with `recursive` also below it, or in one file.
//
//   ta::FsWatcher watcher({.path = "src", .recursive = true, .debounce = 50ms, .max_hold = 1s});
//   for (const ta::FsEvent& event : watcher) rebuild(event.filename);
//
// Nothing is missed: directories that appear are watched and what is in them by then is told; what the system could not
// hold is found by comparing with what was there before. Something may be told twice, and what came and went again may
// be told although it is not there any more: look before you use it. Symbolic links are not followed, except the path
// itself.
//
// Owns: the system's watches, one per directory, and what was not fetched yet. Lifetime: belongs to the runtime it was
// made in; whoever waits may outlive it. Threads: the runtime's; making one lists the directories on this thread.
// Errors: IoError when the path can't be watched; later too, when the system has no more watches for new directories.
#pragma once

#include <chrono>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trueasync/event.hpp"
#include "trueasync/export.hpp"
#include "trueasync/source_location.hpp"
#include "trueasync/stream.hpp"

namespace trueasync {

struct FsEvent {
  std::string path = {};      // what is watched, as it was given
  std::string filename = {};  // what changed, from there: "sub/a.txt"; empty: the path itself has gone
  bool renamed = false;       // it appeared or disappeared
  bool changed = false;       // its content or attributes changed
};

struct FsWatchOptions {
  std::string path = {};
  bool recursive = false;
  bool coalesce = true;                      // what is not fetched yet takes up further changes of the same file
  std::chrono::nanoseconds debounce{0};      // hold changes back until there were none for so long …
  std::chrono::nanoseconds max_debounce{0};  // … but not longer than this; 0: as long as it takes
  std::vector<std::string> extensions = {};  // only files that end so: {"cpp", "hpp"}; empty: all
};

class TRUEASYNC_EXPORT FsWatcher {
 public:
  explicit FsWatcher(FsWatchOptions options);
  FsWatcher(FsWatcher&&) noexcept;
  FsWatcher& operator=(FsWatcher&&) noexcept;
  ~FsWatcher();

  // Suspends until there is a change; nothing once the watcher is closed or its path has gone. Throws TimeoutError,
  // IoError, Cancelled; no change is lost by that.
  std::optional<FsEvent> next(Limit timeout = std::nullopt, SourceLocation location = SourceLocation::current());
  // Without waiting.
  std::optional<FsEvent> try_next();

  // Wakes whoever waits; what was not fetched is dropped.
  void close() noexcept;
  bool is_closed() const noexcept;

  // Fires while there is something to fetch, and when it is closed.
  Event& event() const noexcept;

  class Iterator {
   public:
    using iterator_concept = std::input_iterator_tag;
    using value_type = FsEvent;
    using difference_type = std::ptrdiff_t;

    explicit Iterator(FsWatcher& watcher) : watcher_(&watcher), event_(watcher.next()) {}
    const FsEvent& operator*() const noexcept { return *event_; }
    const FsEvent* operator->() const noexcept { return &*event_; }
    Iterator& operator++() {
      event_ = watcher_->next();
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& iterator, std::default_sentinel_t) noexcept { return !iterator.event_; }

   private:
    FsWatcher* watcher_;
    std::optional<FsEvent> event_;
  };
  Iterator begin() { return Iterator(*this); }
  std::default_sentinel_t end() const noexcept { return {}; }

 private:
  struct State;
  std::shared_ptr<State> state_;
};

}  // namespace trueasync
