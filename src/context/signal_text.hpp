// A line of text put together inside a signal handler: no allocation, no locale, no lock. What does not fit is cut.
#pragma once

#include <unistd.h>

#include <cstddef>
#include <cstdint>

namespace trueasync::detail {

class SignalSafeText {
 public:
  SignalSafeText& operator<<(const char* text) noexcept {
    while (*text != '\0') put(*text++);
    return *this;
  }

  SignalSafeText& operator<<(std::uint64_t number) noexcept {
    char digits[20];
    std::size_t count = 0;
    do {
      digits[count++] = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number != 0);
    while (count > 0) put(digits[--count]);
    return *this;
  }

  void write_to(int descriptor) const noexcept {
    for (std::size_t done = 0; done < size_;) {
      const ssize_t written = write(descriptor, text_ + done, size_ - done);
      if (written <= 0) return;
      done += static_cast<std::size_t>(written);
    }
  }

 private:
  void put(char letter) noexcept {
    if (size_ < sizeof text_) text_[size_++] = letter;
  }

  char text_[1024];
  std::size_t size_ = 0;
};

}  // namespace trueasync::detail
