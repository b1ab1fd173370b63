#include "interpose/host_entry.hpp"

#include <cstdint>
#include <cstring>

namespace trueasync::detail::interpose {

namespace {

constexpr std::size_t kAlignment = alignof(char*);

// Puts strings and lists of them into a buffer of C code.
class Packer {
 public:
  explicit Packer(char* buffer) noexcept : at_(buffer) {
    const auto address = reinterpret_cast<std::uintptr_t>(buffer);
    at_ += (kAlignment - address % kAlignment) % kAlignment;
  }
  char** list(std::size_t count) noexcept {
    auto** list = reinterpret_cast<char**>(at_);
    at_ += (count + 1) * sizeof(char*);
    list[count] = nullptr;
    return list;
  }
  char* bytes(const std::string& text) noexcept {
    char* copy = static_cast<char*>(std::memcpy(at_, text.data(), text.size()));
    at_ += text.size();
    return copy;
  }

 private:
  char* at_;
};

}  // namespace

OwnedHostent::OwnedHostent(const hostent& entry)
    : name_(entry.h_name, std::strlen(entry.h_name) + 1), type_(entry.h_addrtype), length_(entry.h_length) {
  for (char** each = entry.h_addr_list; each && *each; ++each) {
    addresses_.emplace_back(*each, static_cast<std::size_t>(entry.h_length));
  }
  for (char** each = entry.h_aliases; each && *each; ++each) aliases_.emplace_back(*each, std::strlen(*each) + 1);
}

std::size_t OwnedHostent::size() const noexcept {
  std::size_t sum = kAlignment + (aliases_.size() + addresses_.size() + 2) * sizeof(char*) + name_.size();
  for (const std::string& each : aliases_) sum += each.size();
  for (const std::string& each : addresses_) sum += each.size();
  return sum;
}

bool OwnedHostent::copy_to(hostent& entry, char* buffer, std::size_t room) const noexcept {
  if (!buffer || room < size()) return false;
  Packer packer(buffer);
  entry.h_addr_list = packer.list(addresses_.size());
  entry.h_aliases = packer.list(aliases_.size());
  // Addresses first: they are read as integers, and their sizes keep them aligned.
  for (std::size_t i = 0; i < addresses_.size(); ++i) entry.h_addr_list[i] = packer.bytes(addresses_[i]);
  entry.h_name = packer.bytes(name_);
  for (std::size_t i = 0; i < aliases_.size(); ++i) entry.h_aliases[i] = packer.bytes(aliases_[i]);
  entry.h_addrtype = type_;
  entry.h_length = length_;
  return true;
}

}  // namespace trueasync::detail::interpose
