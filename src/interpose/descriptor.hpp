// TrackedDescriptor: the state of a descriptor that C code uses in coroutines: its kind, its reactor registration, and
// whether it is drained. With this state a busy connection needs no system calls except those that transfer data.
//
// The program owns the descriptor and may close it by a call that is not replaced. Its number may then refer to another
// file, so the state must be revalidated: see descriptor_table.hpp.
//
// Ownership: owns the registration.
// Lifetime: reference-counted; every waiter holds a reference.
// Thread safety: the scheduler's thread.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "reactor/descriptor_registration.hpp"

namespace trueasync::detail::interpose {

enum class DescriptorKind : std::uint8_t {
  tcp,       // a short read proves that the socket is drained
  socket,    // any other socket
  datagram,  // unix datagram socket: a send waits for the peer's queue, which cannot be polled
  pipe,      // unnamed pipe
  other,     // terminal, named pipe, eventfd: pollable, but device and inode do not identify it
  file,      // never blocks
  bad,       // not open
};

inline bool is_socket(DescriptorKind kind) noexcept { return kind <= DescriptorKind::datagram; }
// Whether device and inode identify the open file, so that its state may be kept between calls.
inline bool has_stable_identity(DescriptorKind kind) noexcept { return kind <= DescriptorKind::pipe; }

// Returns the kind from a single fstat(); every socket is `socket`.
DescriptorKind coarse_kind(int fd) noexcept;

enum class Side : std::uint8_t { in, out };

// The identity of an open file, from fstat().
struct FileIdentity {
  dev_t device = 0;
  ino_t node = 0;
  DescriptorKind kind = DescriptorKind::bad;

  static FileIdentity of(int fd) noexcept;
  // Whether `fd` still refers to this file.
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

  // Registers the descriptor with the reactor on first use. Returns false if it cannot be polled.
  bool ensure_registered(Reactor& reactor) noexcept;
  DescriptorRegistration& registration() noexcept { return *registration_; }
  ReadinessQueue& side(Side which) noexcept { return which == Side::in ? *in_ : *out_; }

  // Must precede a read or write attempt. The attempt covers every readiness reported so far, so that state is cleared.
  void before_attempt(Side which) noexcept {
    if (registration_) side(which).clear_pending();
  }
  // After a read that returned nothing or less than requested. The reactor reports the next data as a new edge.
  void set_drained() noexcept {
    if (!registration_ || in_->has_hung_up()) return;
    is_drained_ = true;
    drained_ready_count_ = in_->ready_count();
  }
  void clear_drained() noexcept { is_drained_ = false; }
  bool is_drained() const noexcept {
    return is_drained_ && in_->ready_count() == drained_ready_count_ && !in_->has_hung_up();
  }

  // Whether a call holds a reference besides the table: it waits, or was woken and has not run yet.
  bool is_in_use() const noexcept { return references_ > 1; }
  // The program is about to close the descriptor: wakes every waiter.
  void close() noexcept;
  bool is_closed() const noexcept { return is_closed_; }
  // The descriptor was closed without notification. Returns its registration, which must stay alive: if the file is
  // open elsewhere, epoll keeps reporting it, and it can no longer be removed.
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
  Ref<DescriptorRegistration> registration_;
  ReadinessQueue* in_ = nullptr;
  ReadinessQueue* out_ = nullptr;
  std::uint32_t drained_ready_count_ = 0;
  bool is_drained_ = false;
  bool is_closed_ = false;
};

}  // namespace trueasync::detail::interpose
