// Async\FileSystemWatcher and Async\FileSystemEvent, based on the library's FsWatcher.
#pragma once

#include <deque>
#include <optional>

#include "support/object.hpp"
#include "trueasync/io/fs_watch.hpp"

namespace trueasync::php {

struct FileSystemWatcherObject final : AwaitableSource {
  bool is_ready() noexcept override;
  Event* event() noexcept override;
  // The next event, or null when the watcher is closed.
  zend_object* take(const Notification& notification, zval* result) noexcept override;
  bool iterate(std::size_t& position, Value& key, Value& value) noexcept;

  // Returns false if the constructor has not run; EG(exception) is then set.
  bool check() const noexcept;
  void close() noexcept;

  std::optional<FsWatcher> watcher;
  std::deque<FsEvent> remaining;  // events that were pending when the watcher was closed

 private:
  // Never suspends. Returns false if there is no event.
  bool try_take_event(zval* target) noexcept;
};

void register_file_system_watcher();

}  // namespace trueasync::php
