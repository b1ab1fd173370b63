// The members of File, except opening and locking.
#include "trueasync/io/file.hpp"

#include <limits>

#include "io/file_handle.hpp"
#include "trueasync/io/io.hpp"

namespace trueasync {

namespace {

off_t check_offset(std::uint64_t offset, const char* operation) {
  if (offset > static_cast<std::uint64_t>(std::numeric_limits<off_t>::max())) {
    throw MisuseError(std::string(operation) + ": the offset " + std::to_string(offset) +
                      " exceeds the maximum file size");
  }
  return static_cast<off_t>(offset);
}

std::int64_t call(const File& file, detail::FileCall which, off_t argument, const char* operation, WaitOptions options,
                  SourceLocation location) {
  const Ref<detail::FileHandle> handle(&detail::file_handle(file));
  std::int64_t result = 0;
  detail::check_io_result(handle->call(which, argument, result, detail::start_wait(options), location), operation,
                          *handle);
  return result;
}

}  // namespace

Io::Io(File&& file) noexcept : Io(std::move(file.io_)) {}

File::File(Io&& io) {
  if (io.kind() != IoKind::file) throw MisuseError(std::string(io.name()) + " is not a file; use it as an Io");
  io_ = std::move(io);
}

detail::IoHandle& File::handle() const {
  if (!io_) throw MisuseError("File: no file is open; use File::open()");
  return detail::Access::handle(io_);
}

std::size_t File::read_some(Bytes buffer, WaitOptions options, SourceLocation location) {
  return io_.read_some(buffer, options, location);
}

std::size_t File::write_some(ConstBytes data, WaitOptions options, SourceLocation location) {
  return io_.write_some(data, options, location);
}

void File::write_all(std::span<const ConstBytes> pieces, WaitOptions options, SourceLocation location) {
  io_.write_all(pieces, options, location);
}

void File::shutdown_write(WaitOptions options, SourceLocation location) { io_.shutdown_write(options, location); }

Ref<IoRequest> File::read_request(Bytes buffer, SourceLocation location) { return io_.read_request(buffer, location); }
Ref<IoRequest> File::write_request(ConstBytes data, SourceLocation location) {
  return io_.write_request(data, location);
}

std::size_t File::read_at(std::uint64_t offset, Bytes buffer, WaitOptions options, SourceLocation location) {
  const Ref<detail::FileHandle> handle(&detail::file_handle(*this));
  const off_t file_offset = check_offset(offset, "File::read_at");
  const detail::IoResult outcome = handle->read_at(file_offset, buffer, detail::start_wait(options), location);
  detail::check_io_result(outcome, "read", *handle);
  return outcome.bytes;
}

void File::write_at(std::uint64_t offset, ConstBytes data, WaitOptions options, SourceLocation location) {
  const Ref<detail::FileHandle> handle(&detail::file_handle(*this));
  const off_t file_offset = check_offset(offset, "File::write_at");
  detail::check_io_result(handle->write_at(file_offset, data, detail::start_wait(options), location), "write", *handle);
}

std::uint64_t File::seek(std::int64_t offset, SeekFrom from, WaitOptions options, SourceLocation location) {
  static_assert(SEEK_SET == 0 && SEEK_CUR == 1 && SEEK_END == 2);
  const Ref<detail::FileHandle> handle(&detail::file_handle(*this));
  std::int64_t result = 0;
  const detail::IoResult outcome =
      handle->seek(offset, static_cast<int>(from), result, detail::start_wait(options), location);
  detail::check_io_result(outcome, "seek", *handle);
  return static_cast<std::uint64_t>(result);
}

std::uint64_t File::position(WaitOptions options, SourceLocation location) {
  return seek(0, SeekFrom::current, options, location);
}

std::uint64_t File::size(WaitOptions options, SourceLocation location) {
  return static_cast<std::uint64_t>(call(*this, detail::FileCall::size, 0, "get the size of", options, location));
}

void File::resize(std::uint64_t size, WaitOptions options, SourceLocation location) {
  call(*this, detail::FileCall::truncate, check_offset(size, "File::resize"), "resize", options, location);
}

void File::sync(SyncMode mode, WaitOptions options, SourceLocation location) {
  const auto which = mode == SyncMode::all ? detail::FileCall::sync : detail::FileCall::sync_data;
  call(*this, which, 0, "sync", options, location);
}

}  // namespace trueasync
