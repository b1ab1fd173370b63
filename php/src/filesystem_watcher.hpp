// Async\FileSystemWatcher, on the library's FsWatcher, and the events it gives.
#pragma once

#include <deque>
#include <optional>

#include "support/object.hpp"
#include "trueasync/fs_watch.hpp"

namespace trueasync::php {

struct FileSystemWatcherObject final : AwaitableSource {
  bool is_ready() noexcept override;
  Event* event() noexcept override;
  // The next event, or null when the watcher is closed.
  zend_object* take(const Notification& notification, zval* result) noexcept override;
  bool iterate(std::size_t& position, Value& key, Value& value) noexcept;

  // False: its constructor has not run, and EG(exception) says so.
  bool check() const noexcept;
  void close() noexcept;

  std::optional<FsWatcher> watcher;
  std::deque<FsEvent> rest;  // what was there when it was closed

 private:
  bool fetch(zval* target) noexcept;
};

void register_file_system_watcher();

}  // namespace trueasync::php
