// MemoryStream: two connected streams in memory, for tests that work with any stream, on both reactors. It has a
// bounded buffer, can force short reads and writes, and can end at any byte.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "trueasync/event.hpp"
#include "trueasync/io/error.hpp"
#include "trueasync/io/stream.hpp"

namespace trueasync::test {

struct MemoryStreamOptions {
  std::size_t capacity = 64 * 1024;      // a writer waits while this many bytes are buffered
  std::size_t max_transfer = 64 * 1024;  // the maximum size of one read or write
};

class MemoryStream final : public Stream {
 public:
  static std::pair<MemoryStream, MemoryStream> pair(MemoryStreamOptions options = {}) {
    auto forward = std::make_shared<Direction>(options);
    auto backward = std::make_shared<Direction>(options);
    return {MemoryStream(forward, backward), MemoryStream(backward, forward)};
  }
  MemoryStream(MemoryStream&&) noexcept = default;
  ~MemoryStream() override { close(); }

  std::size_t read_some(Bytes buffer, WaitOptions options = {},
                        SourceLocation location = SourceLocation::current()) override {
    const auto direction = in_;
    while (direction->data.empty() || direction->reader_closed) {
      if (direction->reader_closed) throw ClosedError("read memory");
      if (direction->ended) return 0;
      wait_for(direction->changed, options, location);
    }
    const std::size_t part = std::min({buffer.size(), direction->data.size(), direction->options.max_transfer});
    std::copy_n(as_bytes(direction->data).data(), part, buffer.data());
    direction->data.erase(0, part);
    direction->changed.fire();
    return part;
  }
  std::size_t write_some(ConstBytes data, WaitOptions options = {},
                         SourceLocation location = SourceLocation::current()) override {
    const auto direction = out_;
    while (direction->data.size() >= direction->options.capacity && !direction->reader_closed && !direction->ended) {
      wait_for(direction->changed, options, location);
    }
    if (direction->ended) throw ClosedError("write memory");
    if (direction->reader_closed) throw IoError("write memory", EPIPE);
    const std::size_t part = std::min({data.size(), direction->options.capacity - direction->data.size(),
                                       direction->options.max_transfer, direction->until_end});
    direction->data.append(reinterpret_cast<const char*>(data.data()), part);
    direction->total += part;
    direction->until_end -= part;
    if (direction->until_end == 0) direction->ended = true;
    direction->changed.fire();
    return part;
  }
  using Stream::write_all;
  void write_all(std::span<const ConstBytes> pieces, WaitOptions options = {},
                 SourceLocation location = SourceLocation::current()) override {
    for (ConstBytes piece : pieces) {
      while (!piece.empty()) piece = piece.subspan(write_some(piece, options, location));
    }
  }
  void shutdown_write(WaitOptions = {}, SourceLocation = SourceLocation::current()) override {
    out_->ended = true;
    out_->changed.fire();
  }
  void close() noexcept override {
    if (!out_) return;
    out_->ended = true;
    in_->reader_closed = true;
    out_->changed.fire();
    in_->changed.fire();
  }
  std::string_view name() const noexcept override { return "memory"; }

  // Ends the stream after this many more written bytes, like a broken network.
  void truncate_after(std::size_t bytes) { out_->until_end = bytes; }
  std::uint64_t bytes_sent() const noexcept { return out_->total; }

 private:
  struct Change final : Event {
    void fire() noexcept { notify({}); }
    std::string describe() const override { return "a change of a memory stream"; }
    ~Change() override = default;
  };
  struct Direction {
    explicit Direction(MemoryStreamOptions stream_options) : options(stream_options) {}
    MemoryStreamOptions options;
    std::string data;
    std::uint64_t total = 0;
    std::size_t until_end = SIZE_MAX;
    bool ended = false;
    bool reader_closed = false;
    Change changed;
  };

  MemoryStream(std::shared_ptr<Direction> out, std::shared_ptr<Direction> in)
      : out_(std::move(out)), in_(std::move(in)) {}

  static void wait_for(Event& event, WaitOptions options, SourceLocation location) {
    Event* const events[] = {&event};
    wait_any(events, options, location);
  }

  std::shared_ptr<Direction> out_;
  std::shared_ptr<Direction> in_;
};

}  // namespace trueasync::test
