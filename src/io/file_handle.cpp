#include "io/file_handle.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>

#include "base/check.hpp"
#include "scheduler/api_support.hpp"
#include "trueasync/io/io.hpp"

namespace trueasync::detail {

namespace {

constexpr long kXfsMagic = 0x58465342;
constexpr long kZfsMagic = 0x2fc12fc1;

class CloseEvent final : public Event {
 public:
  std::string describe() const override { return "the close of a file"; }
};

bool is_memory_file_system(long type) noexcept { return type == TMPFS_MAGIC || type == RAMFS_MAGIC; }

bool is_local_file_system(long type) noexcept {
  return type == EXT4_SUPER_MAGIC || type == kXfsMagic || type == BTRFS_SUPER_MAGIC || type == F2FS_SUPER_MAGIC ||
         type == OVERLAYFS_SUPER_MAGIC || type == kZfsMagic || is_memory_file_system(type);
}

}  // namespace

FileHandle::FileHandle(int fd, std::string name) : IoHandle(IoKind::file, fd, std::move(name)) {
  const int flags = ::fcntl(fd, F_GETFL);
  const int access = flags & O_ACCMODE;
  readable_ = access != O_WRONLY;
  writable_ = access != O_RDONLY;
  append_ = (flags & O_APPEND) != 0;
  struct stat status = {};
  struct statfs system = {};
  if (::fstat(fd, &status) != 0 || !S_ISREG(status.st_mode) || ::fstatfs(fd, &system) != 0) return;
  const long type = static_cast<long>(system.f_type);
  is_memory_ = is_memory_file_system(type);
  allows_inline_writes_ = is_local_file_system(type) && (flags & (O_SYNC | O_DSYNC | O_DIRECT)) == 0;
}

FileHandle::~FileHandle() {
  TRUEASYNC_CHECK(in_flight_.empty(), "file handle destroyed with operations in flight");
  close();
}

void FileHandle::close() noexcept {
  if (closed_) return;
  closed_ = true;
  for (FileOperation* operation = in_flight_.front(); operation; operation = in_flight_.next_of(*operation)) {
    operation->close(nullptr);
  }
  if (in_flight_.empty()) close_descriptor();
  if (close_event_) close_event_->close(nullptr);
}

Event& FileHandle::close_event() {
  if (!close_event_) close_event_ = Ref<Event>(Ref<CloseEvent>::adopt(new CloseEvent));
  return *close_event_;
}

void FileHandle::close_descriptor() noexcept { ::close(std::exchange(fd_, -1)); }

void FileHandle::on_operation_started(FileOperation& operation) noexcept {
  in_flight_.push_back(operation);
  if (operation.is_at_position()) at_position_ = Ref<FileOperation>(&operation);
}

void FileHandle::on_operation_finished(FileOperation& operation) noexcept {
  operation.ListHook::unlink();
  if (operation.call() == FileCall::write && operation.result() > 0)
    bytes_written_ += static_cast<std::size_t>(operation.result());
  if (at_position_.get() == &operation) at_position_ = nullptr;
  if (closed_ && in_flight_.empty()) close_descriptor();
}

IoResult FileHandle::wait_for(Event& event, IoWait wait, SourceLocation location) {
  inline_bytes_ = 0;
  return wait_for_event(event, wait, location);
}

IoResult FileHandle::acquire_position(FifoLockRequest& lock, IoWait wait, SourceLocation location) {
  IoResult outcome;
  if (!lock.lock_or_enqueue()) outcome = wait_for(lock, wait, location);
  // An operation whose waiter stopped waiting may still be in flight at the position.
  while (outcome.ok() && !closed_ && at_position_) outcome = wait_for(*at_position_, wait, location);
  return closed_ ? closed_or(0) : outcome;
}

// Operations on cached data never wait, so a loop of them would starve the other coroutines.
IoResult FileHandle::yield_for_fairness(IoWait wait, SourceLocation location) {
  if (inline_bytes_ < kMaxInlineBytes) return {};
  inline_bytes_ = 0;
  IoResult outcome = yield_once(wait, location);
  return outcome.ok() && closed_ ? closed_or(0) : outcome;
}

IoResult FileHandle::run_operation(FileOperation& operation, IoWait wait, SourceLocation location) {
  IoResult outcome = wait_for(operation, wait, location);
  if (!outcome.ok()) return outcome;
  if (!operation.is_done()) return closed_or(0);
  if (operation.result() < 0) return closed_or(operation.error());
  outcome.bytes = operation.call() == FileCall::read || operation.call() == FileCall::write ? operation.result() : 0;
  return outcome;
}

IoResult FileHandle::shutdown_write(IoWait wait, SourceLocation location) {
  Ref<IoHandle> keep_alive(this);
  FifoLockRequest lock(position_lock_);
  if (IoResult outcome = acquire_position(lock, wait, location); !outcome.ok()) return outcome;
  writable_ = false;  // a file has no peer: only later writes to this handle fail
  return {};
}

IoResult FileHandle::seek(off_t offset, int whence, std::int64_t& result, IoWait wait, SourceLocation location) {
  Ref<IoHandle> keep_alive(this);
  FifoLockRequest lock(position_lock_);
  if (IoResult outcome = acquire_position(lock, wait, location); !outcome.ok()) return outcome;
  result = ::lseek(fd_, offset, whence);
  if (result < 0) return closed_or(errno);
  eof_ = false;
  return {};
}

IoResult FileHandle::call(FileCall call, off_t argument, std::int64_t& result, IoWait wait, SourceLocation location) {
  if (closed_) return closed_or(EBADF);
  Ref<IoHandle> keep_alive(this);
  auto operation = Ref<FileOperation>::adopt(new FileOperation(*this, call, argument, 0));
  IoResult outcome = run_operation(*operation, wait, location);
  result = operation->is_done() ? operation->result() : -1;
  return outcome;
}

Ref<IoRequest> FileHandle::read_request(Bytes buffer, SourceLocation location) {
  return new_file_read(*this, buffer, location);
}

Ref<IoRequest> FileHandle::write_request(ConstBytes data, SourceLocation location) {
  return new_file_write(*this, data, location);
}

Ref<IoHandle> new_file_handle(int fd, std::string name) {
  return Ref<IoHandle>::adopt(new FileHandle(fd, std::move(name)));
}

}  // namespace trueasync::detail
