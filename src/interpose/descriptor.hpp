// What is known of a descriptor that C code uses in coroutines: its kind, its registration in the loop, and whether there
// was nothing left to read. It makes a busy connection cost no system call but those that move bytes.
//
// A descriptor belongs to the program, which may close it where we do not see it, and its number may then mean another
// one. So it is never trusted for long: see descriptor_table.hpp.
// Owns: the registration. Lifetime: counted; who waits holds it. Threads: its scheduler's.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "reactor/descriptor_registration.hpp"

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
inline bool has_stable_identity(DescriptorKind kind) noexcept { return kind <= DescriptorKind::pipe; }

// Which of these it is, by one look: any socket is `socket`.
DescriptorKind coarse_kind(int fd) noexcept;

enum class Side : std::uint8_t { in, out };

// What fstat tells.
struct FileIdentity {
  dev_t device = 0;
  ino_t node = 0;
  DescriptorKind kind = DescriptorKind::bad;

  static FileIdentity of(int fd) noexcept;
  // Whether the number means it now.
  bool matches(int fd) const noexcept;
};

class TrackedDescriptor {
 public:
  TrackedDescriptor(int fd, const FileIdentity& identity) noexcept : fd_(fd), identity_(identity) {}
  TrackedDescriptor(const TrackedDescriptor&) = delete;
  TrackedDescriptor& operator=(const TrackedDescriptor&) = delete;

  int number() const noexcept { return fd_; }
  DescriptorKind kind() const noexcept { return identity_.kind; }
  const FileIdentity& identity() const noexcept { return identity_; }

  // Registers it with the loop at the first time. False: it can't be waited for.
  bool ensure_registered(Reactor& reactor) noexcept;
  DescriptorRegistration& watch() noexcept { return *watch_; }
  ReadinessQueue& side(Side which) noexcept { return which == Side::in ? *in_ : *out_; }

  // Before a try to read or write: it will see whatever was announced so far.
  void before_attempt(Side which) noexcept {
    if (watch_) side(which).clear_pending();
  }
  // A try to read found nothing, or less than it had room for: what comes will be announced.
  void set_drained() noexcept {
    if (!watch_ || in_->has_hung_up()) return;
    is_drained_ = true;
    drained_at_ = in_->ready_count();
  }
  void clear_drained() noexcept { is_drained_ = false; }
  bool is_drained() const noexcept { return is_drained_ && in_->ready_count() == drained_at_ && !in_->has_hung_up(); }

  // Somebody besides the table has it: a call that waits, or that was woken and has not had its turn.
  bool is_in_use() const noexcept { return references_ > 1; }
  // It is about to be closed: who waits learns of it.
  void close() noexcept;
  bool is_closed() const noexcept { return is_closed_; }
  // It was closed behind our back. The kernel may still know what is returned, if the file is open elsewhere, and can't be
  // told to forget it.
  Ref<DescriptorRegistration> abandon() noexcept;

  void retain() noexcept { ++references_; }
  void release() noexcept {
    if (--references_ == 0) delete this;
  }

 private:
  ~TrackedDescriptor() = default;

  unsigned references_ = 1;
  int fd_;
  FileIdentity identity_;
  Ref<DescriptorRegistration> watch_;
  ReadinessQueue* in_ = nullptr;
  ReadinessQueue* out_ = nullptr;
  std::uint32_t drained_at_ = 0;
  bool is_drained_ = false;
  bool is_closed_ = false;
};

}  // namespace trueasync::detail::interpose
