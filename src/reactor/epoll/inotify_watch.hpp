// Directory changes through inotify, its descriptor polled by the loop. Not through uv_fs_event_t: that tells neither of
// lost changes nor of directories (docs/decisions).
#pragma once

#include <array>

#include "reactor/epoll/epoll_reactor.hpp"
#include "reactor/fs_watch_event.hpp"

namespace trueasync::detail {

class InotifyWatch final : public FsWatchEvent, public ReactorObserver {
 public:
  // Never fails: without a descriptor add() says why.
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
  // One buffer per turn of the loop, so that a storm of changes does not hold up the others.
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
