#include "trueasync/buffered_reader.hpp"

#include <algorithm>
#include <cstring>

#include "trueasync/detail/wait_queue.hpp"

namespace trueasync {

namespace {

std::string about(const char* operation, const Stream& stream) {
  return std::string(operation) + " " + std::string(stream.name());
}

}  // namespace

TooLongError::TooLongError(const std::string& operation, std::size_t max)
    : Error(operation + ": longer than the " + std::to_string(max) + " bytes allowed"), max_(max) {}

TooLongError::~TooLongError() = default;

BufferedReader::BufferedReader(Stream& stream, std::size_t capacity)
    : stream_(stream), step_(std::max<std::size_t>(capacity, 1)), capacity_(0) {}

BufferedReader::~BufferedReader() = default;

std::string_view BufferedReader::text() const noexcept {
  return {reinterpret_cast<const char*>(memory_.get() + begin_), end_ - begin_};
}

// Room for `room` more bytes behind what is there.
void BufferedReader::make_room(std::size_t room) {
  if (begin_ == end_) begin_ = end_ = 0;
  if (capacity_ - end_ >= room) return;
  const std::size_t used = end_ - begin_;
  if (capacity_ - used >= room && begin_ >= used) {  // moving costs less than what was taken since the last time
    std::memcpy(memory_.get(), memory_.get() + begin_, used);
  } else {
    const std::size_t capacity = std::max({used + room, step_, capacity_ == 0 ? 0 : capacity_ * 2});
    std::unique_ptr<std::byte[]> larger(new std::byte[capacity]);
    if (used != 0) std::memcpy(larger.get(), memory_.get() + begin_, used);
    memory_ = std::move(larger);
    capacity_ = capacity;
  }
  begin_ = 0;
  end_ = used;
}

// Reads once, `room` bytes at least if they come. False at the end of the stream.
bool BufferedReader::fill(std::size_t room, Limit timeout, SourceLocation location) {
  make_room(room);
  const std::size_t got = stream_.read({memory_.get() + end_, capacity_ - end_}, timeout, location);
  end_ += got;
  return got != 0;
}

// In front of what is there: only after everything that was there had been taken.
void BufferedReader::put_back(ConstBytes bytes) {
  if (bytes.empty()) return;
  make_room(bytes.size());
  std::memcpy(memory_.get() + end_, bytes.data(), bytes.size());
  end_ += bytes.size();
}

void BufferedReader::consume(std::size_t count) {
  if (count > end_ - begin_) throw MisuseError("consume: there are only " + std::to_string(end_ - begin_) + " bytes");
  begin_ += count;
}

std::size_t BufferedReader::read_some(Bytes buffer, Limit timeout, SourceLocation location) {
  if (buffer.empty()) return 0;
  if (begin_ == end_) {
    // What is larger than our buffer needs no detour through it.
    if (buffer.size() >= step_) return stream_.read(buffer, timeout, location);
    if (!fill(step_, timeout, location)) return 0;
  }
  const std::size_t size = std::min(buffer.size(), end_ - begin_);
  std::memcpy(buffer.data(), memory_.get() + begin_, size);
  begin_ += size;
  return size;
}

void BufferedReader::read_exactly(Bytes buffer, Limit timeout, SourceLocation location) {
  const detail::RemainingTime time(timeout);
  std::size_t done = 0;
  try {
    while (done < buffer.size()) {
      const std::size_t got = read_some(buffer.subspan(done), time.remaining(), location);
      if (got == 0) break;
      done += got;
    }
  } catch (...) {
    put_back(buffer.first(done));
    throw;
  }
  if (done < buffer.size()) throw EndOfStreamError(about("read", stream_), done);
}

std::optional<std::string_view> BufferedReader::read_until(std::string_view delimiter, std::size_t max, Limit timeout,
                                                           SourceLocation location) {
  if (delimiter.empty()) throw MisuseError("read_until needs a delimiter");
  const detail::RemainingTime time(timeout);
  std::size_t searched = 0;  // no delimiter begins before this
  for (;;) {
    const std::string_view all = text();
    const std::size_t at = all.find(delimiter, searched);
    if (at <= max && at != std::string_view::npos) {
      begin_ += at + delimiter.size();
      return all.substr(0, at);
    }
    if (at != std::string_view::npos || all.size() >= max + delimiter.size()) {
      throw TooLongError(about("read", stream_), max);
    }
    searched = all.size() < delimiter.size() ? 0 : all.size() - delimiter.size() + 1;
    if (fill(std::max<std::size_t>(step_ / 2, 1), time.remaining(), location)) continue;
    if (begin_ == end_) return std::nullopt;
    throw EndOfStreamError(about("read", stream_), end_ - begin_);
  }
}

std::optional<std::string_view> BufferedReader::read_line(std::size_t max, Limit timeout, SourceLocation location) {
  const detail::RemainingTime time(timeout);
  std::size_t searched = 0;
  bool ended = false;
  for (;;) {
    std::string_view line = text();
    const std::size_t at = line.find('\n', searched);
    const bool complete = at != std::string_view::npos;
    const std::size_t taken = complete ? at + 1 : line.size();
    searched = line.size();
    line = line.substr(0, complete ? at : line.size());
    const bool has_return = line.ends_with('\r');
    // Without its end a "\r" may be the first half of one.
    if (line.size() - (has_return ? 1 : 0) > max) throw TooLongError(about("read a line from", stream_), max);
    if (complete || ended) {
      if (taken == 0) return std::nullopt;
      begin_ += taken;
      if (complete && has_return) line.remove_suffix(1);
      return line;
    }
    ended = !fill(std::max<std::size_t>(step_ / 2, 1), time.remaining(), location);
  }
}

ConstBytes BufferedReader::peek(std::size_t count, Limit timeout, SourceLocation location) {
  const detail::RemainingTime time(timeout);
  while (end_ - begin_ < count) {
    if (!fill(count - (end_ - begin_), time.remaining(), location)) break;
  }
  return buffered();
}

std::string BufferedReader::read_all(std::size_t max, Limit timeout, SourceLocation location) {
  const detail::RemainingTime time(timeout);
  while (end_ - begin_ <= max) {
    if (fill(step_, time.remaining(), location)) continue;
    std::string result(text());
    begin_ = end_;
    return result;
  }
  throw TooLongError(about("read", stream_), max);
}

void read_exactly(Stream& stream, Bytes buffer, Limit timeout, SourceLocation location) {
  const detail::RemainingTime time(timeout);
  for (std::size_t done = 0; done < buffer.size();) {
    const std::size_t got = stream.read(buffer.subspan(done), time.remaining(), location);
    if (got == 0) throw EndOfStreamError(about("read", stream), done);
    done += got;
  }
}

std::string read_all(Stream& stream, std::size_t max, Limit timeout, SourceLocation location) {
  constexpr std::size_t kLargest = 256 * 1024;
  const detail::RemainingTime time(timeout);
  std::string result;
  std::size_t used = 0;
  for (;;) {
    if (result.size() - used < kLargest / 16) result.resize(std::max<std::size_t>(kLargest / 16, result.size() * 2));
    const Bytes room(reinterpret_cast<std::byte*>(result.data()) + used, std::min(result.size() - used, kLargest));
    const std::size_t got = stream.read(room, time.remaining(), location);
    used += got;
    if (used > max) throw TooLongError(about("read", stream), max);
    if (got == 0) break;
  }
  result.resize(used);
  return result;
}

}  // namespace trueasync
