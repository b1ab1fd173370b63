// StreamHandle: sockets, pipes and terminals. An operation tries the system call first. On EAGAIN the coroutine waits
// for readiness on a persistent registration, so a busy connection needs no epoll_ctl. A short read drains the socket:
// the next read waits without another system call.
//
// Fairness: the coroutine yields after kMaxOpsWithoutYield operations that did not wait, and in a long write after
// kMaxBytesWithoutYield bytes. A fast peer cannot starve other coroutines.
//
// Ownership: owns the descriptor and its registration.
// Thread safety: the runtime's thread.
#pragma once

#include "io/fifo_lock.hpp"
#include "io/io_handle.hpp"
#include "reactor/descriptor_registration.hpp"

struct iovec;

namespace trueasync::detail {

// Edge-triggered only if a short read proves that the socket is drained. That does not hold for datagrams, terminals
// and sockets that pass descriptors along with the data.
inline PollMode poll_mode_for(IoKind kind) noexcept { return kind == IoKind::tcp ? PollMode::edge : PollMode::level; }

class StreamHandle : public IoHandle {
 public:
  // PollMode::level is required if a wait may precede the first attempt, as for a listener.
  StreamHandle(IoKind kind, int fd, std::string name, PollMode mode);

  IoResult read_some(Bytes buffer, IoWait wait, SourceLocation location) override;
  IoResult write_some(ConstBytes data, IoWait wait, SourceLocation location) override;
  IoResult write_all(std::span<const ConstBytes> pieces, IoWait wait, SourceLocation location) override;
  IoResult shutdown_write(IoWait wait, SourceLocation location) override;
  void close() noexcept override;
  Ref<IoRequest> read_request(Bytes buffer, SourceLocation location) override;
  Ref<IoRequest> write_request(ConstBytes data, SourceLocation location) override;

  // One attempt without waiting, for requests and send_file(). -1 with EAGAIN if it would block.
  ssize_t try_read(Bytes buffer) noexcept;
  ssize_t try_write(const iovec* pieces, std::size_t count) noexcept;
  // Whether a read must wait for the next readiness notification.
  bool is_drained() const noexcept { return drained_ && !(input_ && input_->is_pending()); }
  void set_drained(bool drained) noexcept { drained_ = drained; }
  void mark_eof() noexcept { eof_ = true; }

  DescriptorRegistration& registration();
  FifoLock& read_lock() noexcept { return read_lock_; }
  FifoLock& write_lock() noexcept { return write_lock_; }

  // Suspend until the descriptor is ready or the wait is interrupted.
  IoResult wait_readable(IoWait wait, SourceLocation location);
  IoResult wait_writable(IoWait wait, SourceLocation location);
  IoResult acquire_lock(FifoLockRequest& lock, IoWait wait, SourceLocation location);

 protected:
  ~StreamHandle() override { close(); }
  IoResult make_error(std::size_t bytes, int code) const noexcept;
  IoResult with_closed_check(IoResult outcome) const noexcept;
  // Yields before the operation, so that a coroutine that is cancelled in it has moved no data.
  IoResult yield_for_fairness(SourceLocation location);

 private:
  struct Progress {
    std::size_t done = 0;
    std::size_t since_yield = 0;  // bytes written since the coroutine last suspended
  };
  IoResult wait_for(Event& event, IoWait wait, SourceLocation location);
  IoResult wait_on_readiness_queue(ReadinessQueue& queue, IoWait wait, SourceLocation location);
  IoResult read_when_locked(Bytes buffer, IoWait wait, SourceLocation location);
  IoResult read_locked(Bytes buffer, IoWait wait, SourceLocation location);
  IoResult write_locked(std::span<const ConstBytes> pieces, std::size_t done, IoWait wait, SourceLocation location);
  IoResult write_pieces(iovec* pieces, std::size_t count, Progress& progress, IoWait wait, SourceLocation location);

  static constexpr std::size_t kMaxBytesWithoutYield = 1024 * 1024;
  static constexpr std::uint16_t kMaxOpsWithoutYield = 64;

  Ref<DescriptorRegistration> registration_;
  ReadinessQueue* input_ = nullptr;  // fast path of the registration; null if it has none
  ReadinessQueue* output_ = nullptr;
  FifoLock read_lock_;
  FifoLock write_lock_;
  std::uint16_t ops_since_yield_ = 0;
  bool drained_ = false;
  bool is_socket_;
  PollMode mode_;
};

Ref<IoRequest> new_read_request(StreamHandle& handle, Bytes buffer);
Ref<IoRequest> new_write_request(StreamHandle& handle, ConstBytes data);

}  // namespace trueasync::detail
