#include "trueasync/io/buffered_reader.hpp"

#include <algorithm>
#include <cstring>

#include "trueasync/event.hpp"

namespace trueasync {

namespace {

std::string describe(const char* operation, const Stream& stream) {
  return std::string(operation) + " " + std::string(stream.name());
}

}  // namespace

TooLongError::TooLongError(const std::string& operation, std::size_t max)
    : Error(operation + ": exceeds the limit of " + std::to_string(max) + " bytes"), max_(max) {}

TooLongError::~TooLongError() = default;

BufferedReader::BufferedReader(Stream& stream, std::size_t capacity)
    : stream_(stream), step_(std::max<std::size_t>(capacity, 1)), capacity_(0) {}

BufferedReader::~BufferedReader() = default;

std::string_view BufferedReader::text() const noexcept {
  return {reinterpret_cast<const char*>(memory_.get() + begin_), end_ - begin_};
}

// Makes space for at least `count` bytes behind the buffered data.
void BufferedReader::make_room(std::size_t count) {
  if (begin_ == end_) begin_ = end_ = 0;
  if (capacity_ - end_ >= count) return;
  const std::size_t used = end_ - begin_;
  // Moves at most as many bytes as were consumed since the last move, so the cost per byte stays constant.
  if (capacity_ - used >= count && begin_ >= used) {
    std::memcpy(memory_.get(), memory_.get() + begin_, used);
  } else {
    const std::size_t capacity = std::max({used + count, step_, capacity_ == 0 ? 0 : capacity_ * 2});
    std::unique_ptr<std::byte[]> larger(new std::byte[capacity]);
    if (used != 0) std::memcpy(larger.get(), memory_.get() + begin_, used);
    memory_ = std::move(larger);
    capacity_ = capacity;
  }
  begin_ = 0;
  end_ = used;
}

// Reads once into a space of at least `space` bytes. Returns false at the end of the stream.
bool BufferedReader::fill(std::size_t space, WaitOptions options, SourceLocation location) {
  make_room(space);
  const std::size_t got = stream_.read_some({memory_.get() + end_, capacity_ - end_}, options, location);
  end_ += got;
  return got != 0;
}

// Requires that the buffered data was read completely before `bytes`: they are appended.
void BufferedReader::put_back(ConstBytes bytes) {
  if (bytes.empty()) return;
  make_room(bytes.size());
  std::memcpy(memory_.get() + end_, bytes.data(), bytes.size());
  end_ += bytes.size();
}

void BufferedReader::consume(std::size_t count) {
  if (count > end_ - begin_) {
    throw MisuseError("BufferedReader::consume: " + std::to_string(count) + " bytes requested, " +
                      std::to_string(end_ - begin_) + " buffered");
  }
  begin_ += count;
}

std::size_t BufferedReader::read_some(Bytes buffer, WaitOptions options, SourceLocation location) {
  if (buffer.empty()) return 0;
  if (begin_ == end_) {
    // A large read bypasses the buffer to avoid a copy.
    if (buffer.size() >= step_) return stream_.read_some(buffer, options, location);
    if (!fill(step_, options, location)) return 0;
  }
  const std::size_t size = std::min(buffer.size(), end_ - begin_);
  std::memcpy(buffer.data(), memory_.get() + begin_, size);
  begin_ += size;
  return size;
}

void BufferedReader::read_exact(Bytes buffer, WaitOptions options, SourceLocation location) {
  options = detail::with_fixed_deadline(options);
  std::size_t done = 0;
  try {
    while (done < buffer.size()) {
      const std::size_t got = read_some(buffer.subspan(done), options, location);
      if (got == 0) break;
      done += got;
    }
  } catch (...) {
    put_back(buffer.first(done));
    throw;
  }
  if (done < buffer.size()) throw EndOfStreamError(describe("read", stream_), done);
}

std::optional<std::string_view> BufferedReader::read_until(std::string_view delimiter, std::size_t max,
                                                           WaitOptions options, SourceLocation location) {
  if (delimiter.empty()) throw MisuseError("BufferedReader::read_until: the delimiter is empty");
  options = detail::with_fixed_deadline(options);
  std::size_t searched = 0;  // no delimiter starts before this offset
  for (;;) {
    const std::string_view all = text();
    const std::size_t found = all.find(delimiter, searched);
    if (found <= max && found != std::string_view::npos) {
      begin_ += found + delimiter.size();
      return all.substr(0, found);
    }
    if (found != std::string_view::npos || all.size() >= max + delimiter.size()) {
      throw TooLongError(describe("read", stream_), max);
    }
    searched = all.size() < delimiter.size() ? 0 : all.size() - delimiter.size() + 1;
    if (fill(std::max<std::size_t>(step_ / 2, 1), options, location)) continue;
    if (begin_ == end_) return std::nullopt;
    throw EndOfStreamError(describe("read", stream_), end_ - begin_);
  }
}

std::optional<std::string_view> BufferedReader::read_line(std::size_t max, WaitOptions options,
                                                          SourceLocation location) {
  options = detail::with_fixed_deadline(options);
  std::size_t searched = 0;
  bool at_end = false;
  for (;;) {
    std::string_view line = text();
    const std::size_t newline = line.find('\n', searched);
    const bool complete = newline != std::string_view::npos;
    const std::size_t consumed = complete ? newline + 1 : line.size();
    searched = line.size();
    line = line.substr(0, complete ? newline : line.size());
    const bool has_return = line.ends_with('\r');
    // A trailing "\r" does not count: it may be the first half of a line end that is not read completely.
    if (line.size() - (has_return ? 1 : 0) > max) throw TooLongError(describe("read a line from", stream_), max);
    if (complete || at_end) {
      if (consumed == 0) return std::nullopt;
      begin_ += consumed;
      if (complete && has_return) line.remove_suffix(1);
      return line;
    }
    at_end = !fill(std::max<std::size_t>(step_ / 2, 1), options, location);
  }
}

ConstBytes BufferedReader::peek(std::size_t count, WaitOptions options, SourceLocation location) {
  options = detail::with_fixed_deadline(options);
  while (end_ - begin_ < count) {
    if (!fill(count - (end_ - begin_), options, location)) break;
  }
  return buffered();
}

std::string BufferedReader::read_all(std::size_t max, WaitOptions options, SourceLocation location) {
  options = detail::with_fixed_deadline(options);
  while (end_ - begin_ <= max) {
    if (fill(step_, options, location)) continue;
    std::string result(text());
    begin_ = end_;
    return result;
  }
  throw TooLongError(describe("read", stream_), max);
}

std::string read_all(Stream& stream, std::size_t max, WaitOptions options, SourceLocation location) {
  constexpr std::size_t kMaxReadSize = 256 * 1024;
  options = detail::with_fixed_deadline(options);
  std::string result;
  std::size_t used = 0;
  for (;;) {
    if (result.size() - used < kMaxReadSize / 16)
      result.resize(std::max<std::size_t>(kMaxReadSize / 16, result.size() * 2));
    const Bytes space(reinterpret_cast<std::byte*>(result.data()) + used, std::min(result.size() - used, kMaxReadSize));
    const std::size_t got = stream.read_some(space, options, location);
    used += got;
    if (used > max) throw TooLongError(describe("read", stream), max);
    if (got == 0) break;
  }
  result.resize(used);
  return result;
}

}  // namespace trueasync
