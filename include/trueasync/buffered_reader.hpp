// BufferedReader: reads a stream in the pieces a protocol has – lines, records, a fixed number of bytes. Nothing that
// came is ever lost: a limit of length or time, a cancellation and an error leave in the reader what was read so far,
// and the next call goes on from there.
//
// Owns: its buffer; the stream must outlive it. Lifetime: views it returns are good until the next call on the reader.
// Threads: the runtime's, one coroutine at a time. Errors: what the stream throws; TooLongError; EndOfStreamError.
// The end with data pending: first the data, then the end (IO-26).
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "trueasync/io_error.hpp"
#include "trueasync/stream.hpp"

namespace trueasync {

// More came than was allowed, and no delimiter in it. What came is still in the reader.
class TRUEASYNC_EXPORT TooLongError : public Error {
 public:
  TooLongError(const std::string& operation, std::size_t max);
  ~TooLongError() override;
  std::size_t max() const noexcept { return max_; }

 private:
  std::size_t max_;
};

class TRUEASYNC_EXPORT BufferedReader {
 public:
  static constexpr std::size_t kDefaultMax = 64 * 1024;

  // `capacity` is how much is read at once; the buffer grows when a line or a peek needs more.
  explicit BufferedReader(Stream& stream, std::size_t capacity = 8 * 1024);
  BufferedReader(const BufferedReader&) = delete;
  BufferedReader& operator=(const BufferedReader&) = delete;
  ~BufferedReader();

  // What is there, else what comes next; 0 at the end.
  std::size_t read_some(Bytes buffer, Limit timeout = std::nullopt,
                        SourceLocation location = SourceLocation::current());
  // All of `buffer`. If the stream ends first: EndOfStreamError, and received() bytes are in `buffer`.
  void read_exactly(Bytes buffer, Limit timeout = std::nullopt, SourceLocation location = SourceLocation::current());
  // What stands before `delimiter`, which is taken too. Nothing at the end of the stream; EndOfStreamError if it ends
  // with data but no delimiter: the data stays in the reader. TooLongError when more than `max` bytes came before it.
  std::optional<std::string_view> read_until(std::string_view delimiter, std::size_t max = kDefaultMax,
                                             Limit timeout = std::nullopt,
                                             SourceLocation location = SourceLocation::current());
  // A line without its "\n" or "\r\n"; the last one need not have it. Nothing at the end of the stream.
  std::optional<std::string_view> read_line(std::size_t max = kDefaultMax, Limit timeout = std::nullopt,
                                            SourceLocation location = SourceLocation::current());
  // Everything to the end. TooLongError when that is more than `max`; what came is still in the reader.
  std::string read_all(std::size_t max, Limit timeout = std::nullopt,
                       SourceLocation location = SourceLocation::current());

  // Waits until `count` bytes are there or the stream has ended, and shows all that is there without taking it.
  ConstBytes peek(std::size_t count, Limit timeout = std::nullopt, SourceLocation location = SourceLocation::current());
  // What is there already; never waits (IO-19).
  ConstBytes buffered() const noexcept { return {memory_.get() + begin_, end_ - begin_}; }
  // Drops the first `count` bytes of what is there. More than that is a MisuseError.
  void consume(std::size_t count);

  Stream& stream() const noexcept { return stream_; }

 private:
  std::string_view text() const noexcept;
  bool fill(std::size_t room, Limit timeout, SourceLocation location);
  void make_room(std::size_t room);
  void put_back(ConstBytes bytes);

  Stream& stream_;
  std::size_t step_;
  std::size_t capacity_;
  std::unique_ptr<std::byte[]> memory_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

// All of `buffer`, or EndOfStreamError. After a timeout or a cancellation the bytes that came are in `buffer`, but only
// the stream knows how many: read through a BufferedReader when the stream is to be used further.
TRUEASYNC_EXPORT void read_exactly(Stream& stream, Bytes buffer, Limit timeout = std::nullopt,
                                   SourceLocation location = SourceLocation::current());
// Everything to the end; TooLongError when that is more than `max` bytes.
TRUEASYNC_EXPORT std::string read_all(Stream& stream, std::size_t max, Limit timeout = std::nullopt,
                                      SourceLocation location = SourceLocation::current());

}  // namespace trueasync
