// DescriptorWatch on libuv: two lasting poll events on the descriptor's shared handle.
#pragma once

#include "reactor/descriptor_watch.hpp"
#include "reactor/uv/uv_poll.hpp"

namespace trueasync::detail {

class UvWatch final : public DescriptorWatch {
 public:
  UvWatch(UvReactor& reactor, int fd) noexcept
      : readable_(reactor, fd, kPollReadable, UvPoll::Stay::lasting),
        writable_(reactor, fd, kPollWritable, UvPoll::Stay::lasting) {}

  Event& readable() noexcept override { return readable_; }
  Event& writable() noexcept override { return writable_; }

  void close(std::exception_ptr reason) noexcept override {
    readable_.close(reason);
    writable_.close(std::move(reason));
    readable_.let_go();
    writable_.let_go();
    readable_.give_up_descriptor();
  }

 protected:
  void dispose() noexcept override { delete this; }

 private:
  ~UvWatch() = default;

  // Part of the watch: whoever waits on one holds the watch.
  UvPoll readable_;
  UvPoll writable_;
};

}  // namespace trueasync::detail
