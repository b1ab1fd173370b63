// A hostent that owns its memory, and copies of it into the memory of C code.
#pragma once

#include <netdb.h>

#include <string>
#include <vector>

namespace trueasync::detail::interpose {

class OwnedHostent {
 public:
  OwnedHostent() = default;
  // Throws std::bad_alloc.
  explicit OwnedHostent(const hostent& entry);

  // False: the buffer is too small, or there is none.
  bool copy_to(hostent& entry, char* buffer, std::size_t size) const noexcept;
  // How large a buffer must be.
  std::size_t size() const noexcept;

 private:
  std::string name_;
  std::vector<std::string> aliases_;
  std::vector<std::string> addresses_;
  int type_ = 0;
  int length_ = 0;
};

}  // namespace trueasync::detail::interpose
