// The operations of trueasync/file.hpp on an open file.
#include "trueasync/file.hpp"

#include <limits>

#include "io/file_handle.hpp"

namespace trueasync {

namespace {

off_t check_offset(std::uint64_t offset, const char* operation) {
  if (offset > static_cast<std::uint64_t>(std::numeric_limits<off_t>::max())) {
    throw MisuseError(std::string(operation) + ": the offset " + std::to_string(offset) +
                      " exceeds the maximum file size");
  }
  return static_cast<off_t>(offset);
}

std::int64_t call(Io& file, detail::FileCall which, off_t argument, const char* operation, WaitOptions options,
                  SourceLocation location) {
  Ref<detail::FileHandle> handle = detail::require_file(file, operation);
  std::int64_t result = 0;
  detail::check_io_result(handle->call(which, argument, result, detail::start_wait(options), location), operation,
                          *handle);
  return result;
}

}  // namespace

namespace detail {

Ref<FileHandle> require_file(const Io& io, const char* operation) {
  auto* file = dynamic_cast<FileHandle*>(&io.handle());
  if (!file) throw MisuseError(std::string(operation) + " " + std::string(io.name()) + ": not a file");
  return Ref<FileHandle>(file);
}

}  // namespace detail

std::size_t read_at(Io& file, std::uint64_t offset, Bytes buffer, WaitOptions options, SourceLocation location) {
  Ref<detail::FileHandle> handle = detail::require_file(file, "read_at");
  const off_t file_offset = check_offset(offset, "read_at");
  const detail::IoResult outcome = handle->read_at(file_offset, buffer, detail::start_wait(options), location);
  detail::check_io_result(outcome, "read", *handle);
  return outcome.bytes;
}

void write_at(Io& file, std::uint64_t offset, ConstBytes data, WaitOptions options, SourceLocation location) {
  Ref<detail::FileHandle> handle = detail::require_file(file, "write_at");
  const off_t file_offset = check_offset(offset, "write_at");
  detail::check_io_result(handle->write_at(file_offset, data, detail::start_wait(options), location), "write", *handle);
}

std::uint64_t seek(Io& file, std::int64_t offset, SeekFrom from, WaitOptions options, SourceLocation location) {
  static_assert(SEEK_SET == 0 && SEEK_CUR == 1 && SEEK_END == 2);
  Ref<detail::FileHandle> handle = detail::require_file(file, "seek");
  std::int64_t result = 0;
  const detail::IoResult outcome =
      handle->seek(offset, static_cast<int>(from), result, detail::start_wait(options), location);
  detail::check_io_result(outcome, "seek", *handle);
  return static_cast<std::uint64_t>(result);
}

std::uint64_t position(Io& file, WaitOptions options, SourceLocation location) {
  return seek(file, 0, SeekFrom::current, options, location);
}

std::uint64_t file_size(Io& file, WaitOptions options, SourceLocation location) {
  return static_cast<std::uint64_t>(call(file, detail::FileCall::size, 0, "get the size of", options, location));
}

void resize_file(Io& file, std::uint64_t size, WaitOptions options, SourceLocation location) {
  call(file, detail::FileCall::truncate, check_offset(size, "resize_file"), "resize", options, location);
}

void sync_file(Io& file, SyncMode mode, WaitOptions options, SourceLocation location) {
  const auto which = mode == SyncMode::all ? detail::FileCall::sync : detail::FileCall::sync_data;
  call(file, which, 0, "sync", options, location);
}

}  // namespace trueasync
