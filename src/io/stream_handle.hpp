// StreamHandle: sockets, pipes and terminals. The system call is tried first; what would block is waited for in the loop
// on a registration that stays, so that a busy connection costs no epoll_ctl. After a short read there is nothing more
// to get: the next one waits at once instead of trying for an EAGAIN.
//
// Owns: the descriptor and its registration. Fairness: after kImmediateMax operations that did not have to wait the
// coroutine yields, so that a fast peer can't keep the others from running; within one long write after kUnbrokenMax bytes.
#pragma once

#include "io/fifo_lock.hpp"
#include "io/io_handle.hpp"
#include "reactor/descriptor_registration.hpp"

struct iovec;

namespace trueasync::detail {

// Edge-triggered only where a short read proves that nothing is left: not with message boundaries, terminals, or file
// descriptors passed along with the bytes.
inline PollMode poll_mode_for(IoKind kind) noexcept { return kind == IoKind::tcp ? PollMode::edge : PollMode::level; }

class StreamHandle : public IoHandle {
 public:
  // Level: what may be waited for without having been tried, as a listener.
  StreamHandle(IoKind kind, int fd, std::string name, PollMode mode);

  IoResult read(Bytes buffer, IoDeadline deadline, SourceLocation location) override;
  IoResult write_some(ConstBytes data, IoDeadline deadline, SourceLocation location) override;
  IoResult write_all(std::span<const ConstBytes> pieces, IoDeadline deadline, SourceLocation location) override;
  IoResult shutdown_write(IoDeadline deadline, SourceLocation location) override;
  void close() noexcept override;
  Ref<IoRequest> read_request(Bytes buffer, SourceLocation location) override;
  Ref<IoRequest> write_request(ConstBytes data, SourceLocation location) override;

  // For requests and datagrams: one try, without waiting. EAGAIN when it would block.
  ssize_t try_read(Bytes buffer) noexcept;
  ssize_t try_write(const iovec* pieces, std::size_t count) noexcept;
  // There is nothing to read but what the loop announces.
  bool is_drained() const noexcept { return drained_ && !(input_ && input_->is_pending()); }
  void set_drained(bool drained) noexcept { drained_ = drained; }
  void mark_eof() noexcept { eof_ = true; }

  DescriptorRegistration& registration();
  FifoLock& read_lock() noexcept { return reading_; }
  FifoLock& write_lock() noexcept { return writing_; }

  // Suspends until the descriptor is ready or the wait ends otherwise.
  IoResult wait_readable(IoDeadline deadline, SourceLocation location);
  IoResult wait_writable(IoDeadline deadline, SourceLocation location);
  IoResult acquire_lock(FifoLockRequest& turn, IoDeadline deadline, SourceLocation location);

 protected:
  ~StreamHandle() override { close(); }
  IoResult outcome_of_errno(std::size_t bytes, int code) const noexcept;
  IoResult with_closed_check(IoResult outcome) const noexcept;
  // Lets the others run now and then, though nothing has to be waited for. Before the operation: whoever is cancelled
  // here has moved nothing.
  IoResult yield_for_fairness(SourceLocation location);

 private:
  struct Progress {
    std::size_t done = 0;
    std::size_t unbroken = 0;  // since the coroutine last let others run
  };
  IoResult wait_for(Event& event, IoDeadline deadline, SourceLocation location);
  IoResult wait_on_readiness_queue(ReadinessQueue& direct, IoDeadline deadline, SourceLocation location);
  IoResult read_when_locked(Bytes buffer, IoDeadline deadline, SourceLocation location);
  IoResult read_locked(Bytes buffer, IoDeadline deadline, SourceLocation location);
  IoResult write_locked(std::span<const ConstBytes> pieces, std::size_t done, IoDeadline deadline,
                        SourceLocation location);
  IoResult write_pieces(iovec* pieces, std::size_t count, Progress& progress, IoDeadline deadline,
                        SourceLocation location);

  static constexpr std::size_t kMaxBytesWithoutYield = 1024 * 1024;
  static constexpr std::uint16_t kMaxOpsWithoutYield = 64;

  Ref<DescriptorRegistration> watch_;
  ReadinessQueue* input_ = nullptr;  // the watch's short ways
  ReadinessQueue* output_ = nullptr;
  FifoLock reading_;
  FifoLock writing_;
  std::uint16_t ops_since_yield_ = 0;
  bool drained_ = false;
  bool is_socket_;
  PollMode mode_;
};

}  // namespace trueasync::detail
