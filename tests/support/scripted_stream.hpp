// ScriptedStream: a stream whose reads return the scripted steps: bytes, a timeout, an error, the end.
#pragma once

#include <algorithm>
#include <cstring>
#include <deque>
#include <string>
#include <variant>

#include "trueasync/io/error.hpp"
#include "trueasync/io/stream.hpp"

namespace trueasync::test {

class ScriptedStream final : public Stream {
 public:
  struct Timeout {};
  struct Reset {};
  using Step = std::variant<std::string, Timeout, Reset>;

  explicit ScriptedStream(std::deque<Step> steps) : steps_(std::move(steps)) {}

  std::size_t read_some(Bytes buffer, WaitOptions, SourceLocation) override {
    ++reads;
    if (steps_.empty() || buffer.empty()) return 0;
    Step& step = steps_.front();
    if (std::holds_alternative<Timeout>(step)) {
      steps_.pop_front();
      throw TimeoutError("scripted");
    }
    if (std::holds_alternative<Reset>(step)) {
      steps_.pop_front();
      throw IoError("read script", ECONNRESET);
    }
    auto& text = std::get<std::string>(step);
    const std::size_t size = std::min(text.size(), buffer.size());
    std::memcpy(buffer.data(), text.data(), size);
    text.erase(0, size);
    if (text.empty()) steps_.pop_front();
    return size;
  }
  // A short write: writes two bytes less than requested, but at least one.
  std::size_t write_some(ConstBytes data, WaitOptions, SourceLocation) override {
    const std::size_t size = data.size() > 2 ? data.size() - 2 : std::min<std::size_t>(data.size(), 1);
    written.append(reinterpret_cast<const char*>(data.data()), size);
    return size;
  }
  using Stream::write_all;
  void write_all(std::span<const ConstBytes> pieces, WaitOptions, SourceLocation) override {
    for (ConstBytes piece : pieces) written.append(reinterpret_cast<const char*>(piece.data()), piece.size());
  }
  void shutdown_write(WaitOptions, SourceLocation) override {}
  void close() noexcept override {}
  std::string_view name() const noexcept override { return "script"; }

  std::string written;
  int reads = 0;

 private:
  std::deque<Step> steps_;
};

}  // namespace trueasync::test
