// FsWatchEvent: changes in directories as the kernel reports them, not recursive and not merged. src/io handles
// subdirectories and lost changes. Fires while there are changes to read.
//
// Ownership: owns the kernel's watches.
// Lifetime: reference-counted; may outlive the reactor.
// Thread safety: the reactor's thread.
// Errors: add() returns -errno.
#pragma once

#include <string_view>

#include "reactor/reactor.hpp"

namespace trueasync::detail {

struct RawFsChange {
  enum class Kind : std::uint8_t {
    appeared,       // an entry was created or moved here
    disappeared,    // an entry was deleted or moved away
    changed,        // content or attributes of an entry
    self_removed,   // the watched directory itself was deleted or moved
    watch_removed,  // the watch was removed; its number may be reused
    overflow,       // changes were lost, of any directory
  };

  Kind kind = Kind::changed;
  int watch = -1;
  std::string_view name = {};  // of the entry; valid until the next call of next()
  bool is_directory = false;
};

class FsWatchEvent : public Event {
 public:
  // Watches a directory. Returns the watch number (the same for the same directory), or -errno.
  virtual int add(const std::string& directory) noexcept = 0;
  virtual void remove(int watch) noexcept = 0;
  // Reads the next change; returns false if there is none. Read all changes before the next loop iteration.
  virtual bool next(RawFsChange& change) noexcept = 0;

 protected:
  using Event::Event;
};

}  // namespace trueasync::detail
