// FsWatcher: reports changes in a directory, with `recursive` also in its subdirectories, or in one file.
//
//   ta::FsWatcher watcher({.path = "src", .recursive = true, .debounce = 50ms, .max_debounce = 1s});
//   for (const ta::FsEvent& event : watcher) rebuild(event.filename);
//
// No change is missed: new directories are watched and their contents reported; after an overflow of the kernel's queue
// the tree is compared with its last known state. A change may be reported twice, and a file that was created and
// removed again may be reported: check before using it. Symbolic links are not followed, except the path itself.
//
// Ownership: the inotify watches, one per directory, and the changes not yet fetched.
// Lifetime: belongs to the runtime in which it was created; its waiters may outlive it.
// Thread safety: one runtime; the constructor lists the directories on the calling thread.
// Errors: IoError if the path cannot be watched, also later if the system has no more watches for new directories.
#pragma once

#include <chrono>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "trueasync/event.hpp"
#include "trueasync/export.hpp"
#include "trueasync/io/stream.hpp"
#include "trueasync/source_location.hpp"

namespace trueasync {

// FsEvent: one change.
struct FsEvent {
  std::string path = {};      // the watched path, as given in the options
  std::string filename = {};  // relative to `path`: "sub/a.txt"; empty: the path itself was removed
  bool renamed = false;       // created or removed
  bool changed = false;       // contents or attributes changed
};

// FsWatchOptions: what to watch and how to report it.
struct FsWatchOptions {
  std::string path = {};                     // directory or file
  bool recursive = false;                    // default: no
  bool coalesce = true;                      // merge a change with an unfetched change of the same file; default: yes
  std::chrono::nanoseconds debounce{0};      // delay until there is no change for this long; default 0, no delay
  std::chrono::nanoseconds max_debounce{0};  // upper bound of that delay; 0: unbounded
  std::vector<std::string> extensions = {};  // file name extensions: {"cpp", "hpp"}; empty: all files
};

class TRUEASYNC_EXPORT FsWatcher {
 public:
  explicit FsWatcher(FsWatchOptions options);
  FsWatcher(FsWatcher&&) noexcept;
  FsWatcher& operator=(FsWatcher&&) noexcept;
  ~FsWatcher();

  // Suspends until there is a change. std::nullopt after close() or after the path was removed. Throws TimeoutError,
  // OperationCancelled, IoError, Cancelled; no change is lost.
  std::optional<FsEvent> next(WaitOptions options = {}, SourceLocation location = SourceLocation::current());
  // Never suspends.
  std::optional<FsEvent> try_next();

  // Wakes all waiters and drops unfetched changes.
  void close() noexcept;
  bool is_closed() const noexcept;

  // Fires while there are unfetched changes, and on close().
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
