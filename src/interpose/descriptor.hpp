// What is known of a descriptor that C code uses in coroutines: its kind, its registration in the loop, and whether there
// was nothing left to read. It makes a busy connection cost no system call but those that move bytes.
//
// A descriptor belongs to the program, which may close it where we do not see it, and its number may then mean another
// one. So it is never trusted for long: see descriptor_table.hpp.
// Owns: the registration. Lifetime: counted; who waits holds it. Threads: its scheduler's.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "reactor/descriptor_watch.hpp"

namespace trueasync::detail::interpose {

enum class DescriptorKind : std::uint8_t {
  tcp,       // a stream of bytes of which a short read proves that nothing is left
  socket,    // any other
  datagram,  // of the unix domain: what it waits for is the peer's queue, which the loop can't see
  pipe,      // without a name
  other,     // a terminal, a named pipe, an eventfd: pollable, but its number and node do not tell one from another
  file,      // never waits
  bad,       // not open
};

inline bool is_socket(DescriptorKind kind) noexcept { return kind <= DescriptorKind::datagram; }
// Its node tells it from all others: what is known of it may be kept.
inline bool is_lasting(DescriptorKind kind) noexcept { return kind <= DescriptorKind::pipe; }

// Which of these it is, by one look: any socket is `socket`.
DescriptorKind rough_kind_of(int fd) noexcept;

enum class Side : std::uint8_t { in, out };

// What fstat tells.
struct Identity {
  dev_t device = 0;
  ino_t node = 0;
  DescriptorKind kind = DescriptorKind::bad;

  static Identity of(int fd) noexcept;
  // Whether the number means it now.
  bool is_of(int fd) const noexcept;
};

class Descriptor {
 public:
  Descriptor(int fd, const Identity& identity) noexcept : fd_(fd), identity_(identity) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int number() const noexcept { return fd_; }
  DescriptorKind kind() const noexcept { return identity_.kind; }
  const Identity& identity() const noexcept { return identity_; }

  // Registers it with the loop at the first time. False: it can't be waited for.
  bool watch_in(Reactor& reactor) noexcept;
  DescriptorWatch& watch() noexcept { return *watch_; }
  DirectWait& side(Side which) noexcept { return which == Side::in ? *in_ : *out_; }

  // Before a try to read or write: it will see whatever was announced so far.
  void trying(Side which) noexcept {
    if (watch_) side(which).forget();
  }
  // A try to read found nothing, or less than it had room for: what comes will be announced.
  void note_drained() noexcept {
    if (!watch_ || in_->has_ended()) return;
    is_drained_ = true;
    drained_at_ = in_->told();
  }
  void note_rest() noexcept { is_drained_ = false; }
  bool is_drained() const noexcept { return is_drained_ && in_->told() == drained_at_ && !in_->has_ended(); }

  // Somebody besides the table has it: a call that waits, or that was woken and has not had its turn.
  bool is_in_use() const noexcept { return references_ > 1; }
  // It is about to be closed: who waits learns of it.
  void close() noexcept;
  bool is_closed() const noexcept { return is_closed_; }
  // It was closed behind our back. The kernel may still know what is returned, if the file is open elsewhere, and can't be
  // told to forget it.
  Ref<DescriptorWatch> lose() noexcept;

  void retain() noexcept { ++references_; }
  void release() noexcept {
    if (--references_ == 0) delete this;
  }

 private:
  ~Descriptor() = default;

  unsigned references_ = 1;
  int fd_;
  Identity identity_;
  Ref<DescriptorWatch> watch_;
  DirectWait* in_ = nullptr;
  DirectWait* out_ = nullptr;
  std::uint32_t drained_at_ = 0;
  bool is_drained_ = false;
  bool is_closed_ = false;
};

}  // namespace trueasync::detail::interpose
