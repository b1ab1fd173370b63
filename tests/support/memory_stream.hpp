// Two ends of a line in memory, for tests of what works on any stream: on both reactors, with a limit to what is under
// way, short reads and writes forced, and an end that can come at any byte.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "trueasync/io_error.hpp"
#include "trueasync/stream.hpp"
#include "trueasync/wait.hpp"

namespace trueasync::test {

struct MemoryStreamOptions {
  std::size_t capacity = 64 * 1024;      // a writer waits when this much is under way
  std::size_t max_transfer = 64 * 1024;  // no read or write moves more than this
};

class MemoryStream final : public Stream {
 public:
  static std::pair<MemoryStream, MemoryStream> pair(MemoryStreamOptions options = {}) {
    auto there = std::make_shared<Direction>(options);
    auto back = std::make_shared<Direction>(options);
    return {MemoryStream(there, back), MemoryStream(back, there)};
  }
  MemoryStream(MemoryStream&&) noexcept = default;
  ~MemoryStream() override { close(); }

  std::size_t read(Bytes buffer, Limit timeout = std::nullopt,
                   SourceLocation location = SourceLocation::current()) override {
    const auto line = in_;
    while (line->data.empty() || line->reader_gone) {
      if (line->reader_gone) throw ClosedError("read memory");
      if (line->ended) return 0;
      wait_for(line->changed, timeout, location);
    }
    const std::size_t part = std::min({buffer.size(), line->data.size(), line->options.max_transfer});
    std::copy_n(as_bytes(line->data).data(), part, buffer.data());
    line->data.erase(0, part);
    line->changed.fire();
    return part;
  }
  std::size_t write_some(ConstBytes data, Limit timeout = std::nullopt,
                         SourceLocation location = SourceLocation::current()) override {
    const auto line = out_;
    while (line->data.size() >= line->options.capacity && !line->reader_gone && !line->ended) {
      wait_for(line->changed, timeout, location);
    }
    if (line->ended) throw ClosedError("write memory");
    if (line->reader_gone) throw IoError("write memory", EPIPE);
    const std::size_t part = std::min(
        {data.size(), line->options.capacity - line->data.size(), line->options.max_transfer, line->until_end});
    line->data.append(reinterpret_cast<const char*>(data.data()), part);
    line->total += part;
    line->until_end -= part;
    if (line->until_end == 0) line->ended = true;
    line->changed.fire();
    return part;
  }
  void write(ConstBytes data, Limit timeout = std::nullopt,
             SourceLocation location = SourceLocation::current()) override {
    while (!data.empty()) data = data.subspan(write_some(data, timeout, location));
  }
  using Stream::write;
  void write_vectored(std::span<const ConstBytes> pieces, Limit timeout = std::nullopt,
                      SourceLocation location = SourceLocation::current()) override {
    for (const ConstBytes piece : pieces) write(piece, timeout, location);
  }
  void shutdown_write(Limit = std::nullopt, SourceLocation = SourceLocation::current()) override {
    out_->ended = true;
    out_->changed.fire();
  }
  void close() noexcept override {
    if (!out_) return;
    out_->ended = true;
    in_->reader_gone = true;
    out_->changed.fire();
    in_->changed.fire();
  }
  std::string_view name() const noexcept override { return "memory"; }

  // The line is cut after this many more bytes of ours, as by a network that breaks.
  void truncate_after(std::size_t bytes) { out_->until_end = bytes; }
  std::uint64_t bytes_sent() const noexcept { return out_->total; }

 private:
  struct Change final : Event {
    void fire() noexcept { notify({}); }
    std::string describe() const override { return "a change of a line in memory"; }
    ~Change() override = default;
  };
  struct Direction {
    explicit Direction(MemoryStreamOptions given) : options(given) {}
    MemoryStreamOptions options;
    std::string data;
    std::uint64_t total = 0;
    std::size_t until_end = SIZE_MAX;
    bool ended = false;
    bool reader_gone = false;
    Change changed;
  };

  MemoryStream(std::shared_ptr<Direction> out, std::shared_ptr<Direction> in)
      : out_(std::move(out)), in_(std::move(in)) {}

  static void wait_for(Event& event, Limit timeout, SourceLocation location) {
    Event* const events[] = {&event};
    wait_any(events, timeout, location);
  }

  std::shared_ptr<Direction> out_;
  std::shared_ptr<Direction> in_;
};

}  // namespace trueasync::test
