// Directory changes through inotify, its descriptor polled by the loop. Not through uv_fs_event_t: that tells neither of
// lost changes nor of directories (docs/decisions).
#pragma once

#include <array>

#include "reactor/fs_watch_event.hpp"
#include "reactor/uv/uv_reactor.hpp"

namespace trueasync::detail {

class UvFsWatch final : public FsWatchEvent, public ReactorGuest {
 public:
  // Never fails: without a descriptor add() says why.
  UvFsWatch(UvReactor& reactor, std::string path);

  int add(const std::string& directory) noexcept override;
  void remove(int watch) noexcept override;
  bool next(RawFsChange& change) noexcept override;
  std::string describe() const override { return "changes in " + path_; }
  void on_reactor_gone() noexcept override;

 protected:
  std::exception_ptr on_start() noexcept override;
  void on_stop() noexcept override;

 private:
  struct Readable : Subscription {
    UvFsWatch* watch = nullptr;
    Ref<Event> source;
  };
  ~UvFsWatch() override;
  // One buffer per turn of the loop, so that a storm of changes does not hold up the others.
  bool fill() noexcept;
  void unwatch() noexcept;

  UvReactor* reactor_;
  std::string path_;
  int fd_;
  int open_error_ = 0;
  Readable readable_;
  std::size_t position_ = 0;
  std::size_t end_ = 0;
  alignas(8) std::array<char, 8192> buffer_;
};

}  // namespace trueasync::detail
