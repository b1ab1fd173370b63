// InotifyWatch: directory changes from inotify, whose descriptor the loop polls. uv_fs_event_t reports neither lost
// changes nor whether an entry is a directory (docs/decisions).
#pragma once

#include <array>

#include "reactor/epoll/epoll_reactor.hpp"
#include "reactor/fs_watch_event.hpp"

namespace trueasync::detail {

class InotifyWatch final : public FsWatchEvent, public ReactorObserver {
 public:
  // If the inotify descriptor cannot be created, add() returns the error.
  InotifyWatch(EpollReactor& reactor, std::string path);

  int add(const std::string& directory) noexcept override;
  void remove(int watch) noexcept override;
  bool next(RawFsChange& change) noexcept override;
  std::string describe() const override { return "changes in " + path_; }
  void on_reactor_closed() noexcept override;

 protected:
  std::exception_ptr on_start() noexcept override;
  void on_stop() noexcept override;

 private:
  struct Readable : Subscription {
    InotifyWatch* watch = nullptr;
    Ref<Event> source;
  };
  ~InotifyWatch() override;
  // Reads one buffer per loop iteration, so that many changes do not starve other events.
  bool fill() noexcept;
  void unwatch() noexcept;

  EpollReactor* reactor_;
  std::string path_;
  int fd_;
  int open_error_ = 0;
  Readable readable_;
  std::size_t position_ = 0;
  std::size_t end_ = 0;
  alignas(8) std::array<char, 8192> buffer_;
};

}  // namespace trueasync::detail
