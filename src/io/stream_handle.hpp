// StreamHandle: sockets, pipes and terminals. The system call is tried first; what would block is waited for in the loop
// on a registration that stays, so that a busy connection costs no epoll_ctl. After a short read there is nothing more
// to get: the next one waits at once instead of trying for an EAGAIN.
//
// Owns: the descriptor and its registration. Fairness: after kImmediateMax operations that did not have to wait the
// coroutine yields, so that a fast peer can't keep the others from running; within one long write after kUnbrokenMax bytes.
#pragma once

#include "io/io_handle.hpp"
#include "io/turn_queue.hpp"
#include "reactor/descriptor_watch.hpp"

struct iovec;

namespace trueasync::detail {

// Edge-triggered only where a short read proves that nothing is left: not with message boundaries, terminals, or file
// descriptors passed along with the bytes.
inline WatchMode watch_mode_for(IoKind kind) noexcept {
  return kind == IoKind::tcp ? WatchMode::edge : WatchMode::level;
}

class StreamHandle : public IoHandle {
 public:
  // Level: what may be waited for without having been tried, as a listener.
  StreamHandle(IoKind kind, int fd, std::string name, WatchMode mode);

  IoOutcome read(Bytes buffer, IoDeadline deadline, Place place) override;
  IoOutcome write_some(ConstBytes data, IoDeadline deadline, Place place) override;
  IoOutcome write_all(std::span<const ConstBytes> pieces, IoDeadline deadline, Place place) override;
  IoOutcome shutdown_write(IoDeadline deadline, Place place) override;
  void close() noexcept override;
  Ref<IoRequest> read_request(Bytes buffer, Place place) override;
  Ref<IoRequest> write_request(ConstBytes data, Place place) override;

  // For requests and datagrams: one try, without waiting. EAGAIN when it would block.
  ssize_t try_read(Bytes buffer) noexcept;
  ssize_t try_write(const iovec* pieces, std::size_t count) noexcept;
  // There is nothing to read but what the loop announces.
  bool is_drained() const noexcept { return drained_ && !(input_ && input_->is_kept()); }
  void set_drained(bool drained) noexcept { drained_ = drained; }
  void mark_eof() noexcept { eof_ = true; }

  DescriptorWatch& watch();
  TurnQueue& reading() noexcept { return reading_; }
  TurnQueue& writing() noexcept { return writing_; }

  // Suspends until the descriptor is ready or the wait ends otherwise.
  IoOutcome wait_readable(IoDeadline deadline, Place place);
  IoOutcome wait_writable(IoDeadline deadline, Place place);
  IoOutcome wait_turn(Turn& turn, IoDeadline deadline, Place place);

 protected:
  ~StreamHandle() override { close(); }
  IoOutcome outcome_of_errno(std::size_t bytes, int code) const noexcept;
  IoOutcome unless_closed(IoOutcome outcome) const noexcept;
  // Lets the others run now and then, though nothing has to be waited for. Before the operation: whoever is cancelled
  // here has moved nothing.
  IoOutcome give_way(Place place);

 private:
  struct Progress {
    std::size_t done = 0;
    std::size_t unbroken = 0;  // since the coroutine last let others run
  };
  IoOutcome wait_for(Event& event, IoDeadline deadline, Place place);
  IoOutcome wait_directly(DirectWait& direct, IoDeadline deadline, Place place);
  IoOutcome read_after_others(Bytes buffer, IoDeadline deadline, Place place);
  IoOutcome read_in_turn(Bytes buffer, IoDeadline deadline, Place place);
  IoOutcome write_in_turn(std::span<const ConstBytes> pieces, std::size_t done, IoDeadline deadline, Place place);
  IoOutcome write_pieces(iovec* pieces, std::size_t count, Progress& progress, IoDeadline deadline, Place place);

  static constexpr std::size_t kUnbrokenMax = 1024 * 1024;
  static constexpr std::uint16_t kImmediateMax = 64;

  Ref<DescriptorWatch> watch_;
  DirectWait* input_ = nullptr;  // the watch's short ways
  DirectWait* output_ = nullptr;
  TurnQueue reading_;
  TurnQueue writing_;
  std::uint16_t immediate_ = 0;
  bool drained_ = false;
  bool is_socket_;
  WatchMode mode_;
};

}  // namespace trueasync::detail
