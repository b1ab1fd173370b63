// BufferedReader: reads a stream in the units of a protocol: lines, records or a fixed number of bytes.
//
// No received data is lost. After a length limit, a timeout, a cancellation or an error, the data read so far stays in
// the reader, and the next call continues with it. At the end of the stream, pending data is returned first.
//
// Ownership: its buffer.
// Lifetime: the stream must outlive the reader. Returned views are valid until the next call on the reader.
// Thread safety: one runtime, one coroutine at a time.
// Errors: those of the stream; TooLongError; EndOfStreamError.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "trueasync/io/error.hpp"
#include "trueasync/io/stream.hpp"

namespace trueasync {

// TooLongError: more than the allowed number of bytes arrived without a delimiter. The data stays in the reader.
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

  // `capacity`: bytes per read, default 8 KiB. The buffer grows if a line or peek() needs more.
  explicit BufferedReader(Stream& stream, std::size_t capacity = 8 * 1024);
  BufferedReader(const BufferedReader&) = delete;
  BufferedReader& operator=(const BufferedReader&) = delete;
  ~BufferedReader();

  // Returns buffered data, else reads once. 0 at the end of the stream.
  std::size_t read_some(Bytes buffer, WaitOptions options = {}, SourceLocation location = SourceLocation::current());
  // Fills `buffer`. If the stream ends first: EndOfStreamError, and `buffer` contains received() bytes.
  void read_exact(Bytes buffer, WaitOptions options = {}, SourceLocation location = SourceLocation::current());
  // Returns the data before `delimiter` and consumes both. std::nullopt at the end of the stream. EndOfStreamError if
  // the stream ends with data but without a delimiter; TooLongError if more than `max` bytes precede it. In both cases
  // the data stays in the reader.
  std::optional<std::string_view> read_until(std::string_view delimiter, std::size_t max = kDefaultMax,
                                             WaitOptions options = {},
                                             SourceLocation location = SourceLocation::current());
  // Returns a line without its "\n" or "\r\n"; the last line may lack the terminator. std::nullopt at the end of the
  // stream.
  std::optional<std::string_view> read_line(std::size_t max = kDefaultMax, WaitOptions options = {},
                                            SourceLocation location = SourceLocation::current());
  // Reads to the end of the stream. TooLongError for more than `max` bytes; the data stays in the reader.
  std::string read_all(std::size_t max, WaitOptions options = {}, SourceLocation location = SourceLocation::current());

  // Waits until `count` bytes are buffered or the stream has ended; returns all buffered data without consuming it.
  ConstBytes peek(std::size_t count, WaitOptions options = {}, SourceLocation location = SourceLocation::current());
  // The buffered data. Never suspends.
  ConstBytes buffered() const noexcept { return {memory_.get() + begin_, end_ - begin_}; }
  // Drops the first `count` buffered bytes. MisuseError if fewer are buffered.
  void consume(std::size_t count);

  Stream& stream() const noexcept { return stream_; }

 private:
  std::string_view text() const noexcept;
  bool fill(std::size_t room, WaitOptions options, SourceLocation location);
  void make_room(std::size_t room);
  void put_back(ConstBytes bytes);

  Stream& stream_;
  std::size_t step_;
  std::size_t capacity_;
  std::unique_ptr<std::byte[]> memory_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

// Reads to the end of the stream; TooLongError for more than `max` bytes.
TRUEASYNC_EXPORT std::string read_all(Stream& stream, std::size_t max, WaitOptions options = {},
                                      SourceLocation location = SourceLocation::current());

}  // namespace trueasync
