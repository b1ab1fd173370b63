// Changes in directories, as the system reports them: one level each, nothing merged, nothing remembered (REA-02).
// What is below, and what was missed, is for src/io to find out.
//
// Fires while there are changes to take. Owns: the system's watches. Lifetime: counted; may outlive the reactor.
// Threads: the reactor's. Errors: add() returns errno, negative.
#pragma once

#include <string_view>

#include "reactor/reactor.hpp"

namespace trueasync::detail {

struct RawFsChange {
  enum class Kind : std::uint8_t {
    appeared,       // an entry was made or moved here
    disappeared,    // deleted or moved away
    changed,        // its content or attributes
    self_removed,   // the watched directory itself was deleted or moved
    watch_removed,  // the watch is over: its number may be given to another
    overflow,       // changes were lost, of any directory
  };

  Kind kind = Kind::changed;
  int watch = -1;
  std::string_view name = {};  // of the entry; valid until the next call
  bool is_directory = false;
};

class FsWatchEvent : public Event {
 public:
  // Watches a directory; its number (the same for the same directory), or -errno.
  virtual int add(const std::string& directory) noexcept = 0;
  virtual void remove(int watch) noexcept = 0;
  // The next of the changes it fired for; false when there is none left. They are to be taken before the loop turns.
  virtual bool next(RawFsChange& change) noexcept = 0;

 protected:
  using Event::Event;
};

}  // namespace trueasync::detail
