// Operations on an open file, as trueasync/file.hpp has them.
#include "trueasync/file.hpp"

#include <limits>

#include "io/as_file.hpp"

namespace trueasync {

namespace {

off_t checked_offset(std::uint64_t offset, const char* what) {
  if (offset > static_cast<std::uint64_t>(std::numeric_limits<off_t>::max())) {
    throw MisuseError(std::string(what) + ": the offset is larger than any file");
  }
  return static_cast<off_t>(offset);
}

std::int64_t call(Io& file, detail::FileCall which, off_t argument, const char* what, Limit limit, Place place) {
  Ref<detail::FileHandle> handle = detail::as_file(file, what);
  std::int64_t result = 0;
  detail::raise_unless_done(handle->call(which, argument, result, detail::deadline_of(limit), place), what, *handle);
  return result;
}

}  // namespace

namespace detail {

Ref<FileHandle> as_file(const Io& io, const char* what) {
  auto* file = dynamic_cast<FileHandle*>(&io.handle());
  if (!file) throw MisuseError(std::string(what) + " needs a file, and " + std::string(io.name()) + " is none");
  return Ref<FileHandle>(file);
}

}  // namespace detail

std::size_t read_at(Io& file, std::uint64_t offset, Bytes buffer, Limit limit, Place place) {
  Ref<detail::FileHandle> handle = detail::as_file(file, "read_at");
  const off_t where = checked_offset(offset, "read_at");
  const detail::IoOutcome outcome = handle->read_at(where, buffer, detail::deadline_of(limit), place);
  detail::raise_unless_done(outcome, "read", *handle);
  return outcome.bytes;
}

void write_at(Io& file, std::uint64_t offset, ConstBytes data, Limit limit, Place place) {
  Ref<detail::FileHandle> handle = detail::as_file(file, "write_at");
  const off_t where = checked_offset(offset, "write_at");
  detail::raise_unless_done(handle->write_at(where, data, detail::deadline_of(limit), place), "write", *handle);
}

std::uint64_t seek(Io& file, std::int64_t offset, SeekFrom from, Limit limit, Place place) {
  static_assert(SEEK_SET == 0 && SEEK_CUR == 1 && SEEK_END == 2);
  Ref<detail::FileHandle> handle = detail::as_file(file, "seek");
  std::int64_t result = 0;
  const detail::IoOutcome outcome =
      handle->seek(offset, static_cast<int>(from), result, detail::deadline_of(limit), place);
  detail::raise_unless_done(outcome, "seek", *handle);
  return static_cast<std::uint64_t>(result);
}

std::uint64_t position(Io& file, Limit limit, Place place) { return seek(file, 0, SeekFrom::current, limit, place); }

std::uint64_t file_size(Io& file, Limit limit, Place place) {
  return static_cast<std::uint64_t>(call(file, detail::FileCall::size, 0, "get the size of", limit, place));
}

void resize_file(Io& file, std::uint64_t size, Limit limit, Place place) {
  call(file, detail::FileCall::truncate, checked_offset(size, "resize_file"), "resize", limit, place);
}

void sync_file(Io& file, SyncMode mode, Limit limit, Place place) {
  const auto which = mode == SyncMode::all ? detail::FileCall::sync : detail::FileCall::sync_data;
  call(file, which, 0, "sync", limit, place);
}

}  // namespace trueasync
