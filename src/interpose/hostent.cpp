#include "interpose/hostent.hpp"

#include <array>
#include <cstdint>
#include <cstring>

namespace trueasync::detail::interpose {

namespace {

constexpr std::size_t kAlignment = alignof(char*);
constexpr std::size_t kAnswerBuffers = 8;

// Writes strings and null-terminated pointer lists into a caller's buffer.
class BufferWriter {
 public:
  explicit BufferWriter(char* buffer) noexcept : next_(buffer) {
    const auto address = reinterpret_cast<std::uintptr_t>(buffer);
    next_ += (kAlignment - address % kAlignment) % kAlignment;
  }
  char** reserve_list(std::size_t count) noexcept {
    auto** list = reinterpret_cast<char**>(next_);
    next_ += (count + 1) * sizeof(char*);
    list[count] = nullptr;
    return list;
  }
  char* copy(const std::string& bytes) noexcept {
    char* copied = static_cast<char*>(std::memcpy(next_, bytes.data(), bytes.size()));
    next_ += bytes.size();
    return copied;
  }

 private:
  char* next_;
};

IntrusiveList<SharedHostentUse>& thread_uses() noexcept {
  thread_local IntrusiveList<SharedHostentUse> uses;
  return uses;
}

}  // namespace

OwnedHostent::OwnedHostent(const hostent& entry)
    : name_(entry.h_name, std::strlen(entry.h_name) + 1), type_(entry.h_addrtype), length_(entry.h_length) {
  for (char** address = entry.h_addr_list; address && *address; ++address) {
    addresses_.emplace_back(*address, static_cast<std::size_t>(entry.h_length));
  }
  for (char** alias = entry.h_aliases; alias && *alias; ++alias) aliases_.emplace_back(*alias, std::strlen(*alias) + 1);
}

std::size_t OwnedHostent::size() const noexcept {
  std::size_t sum = kAlignment + (aliases_.size() + addresses_.size() + 2) * sizeof(char*) + name_.size();
  for (const std::string& alias : aliases_) sum += alias.size();
  for (const std::string& address : addresses_) sum += address.size();
  return sum;
}

bool OwnedHostent::copy_to(hostent& entry, char* buffer, std::size_t buffer_size) const noexcept {
  if (!buffer || buffer_size < size()) return false;
  BufferWriter writer(buffer);
  entry.h_addr_list = writer.reserve_list(addresses_.size());
  entry.h_aliases = writer.reserve_list(aliases_.size());
  // Callers read addresses as integers. Directly behind the pointer lists they are aligned.
  for (std::size_t i = 0; i < addresses_.size(); ++i) entry.h_addr_list[i] = writer.copy(addresses_[i]);
  entry.h_name = writer.copy(name_);
  for (std::size_t i = 0; i < aliases_.size(); ++i) entry.h_aliases[i] = writer.copy(aliases_[i]);
  entry.h_addrtype = type_;
  entry.h_length = length_;
  return true;
}

SharedHostentUse::SharedHostentUse(const hostent* entry) noexcept : entry_(entry) {
  IntrusiveList<SharedHostentUse>& uses = thread_uses();
  for (SharedHostentUse* use = uses.front(); use; use = uses.next_of(*use)) {
    use->is_superseded_ |= use->entry_ == entry;
  }
  uses.push_back(*this);
}

char* thread_answer_buffer(std::size_t size) noexcept {
  thread_local std::array<std::vector<char>, kAnswerBuffers> buffers;
  thread_local std::size_t next = 0;
  std::vector<char>& buffer = buffers[next++ % kAnswerBuffers];
  try {
    buffer.resize(size);
  } catch (...) {
    return nullptr;
  }
  return buffer.data();
}

}  // namespace trueasync::detail::interpose
