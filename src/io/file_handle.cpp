#include "io/file_handle.hpp"

#include <fcntl.h>
#include <linux/magic.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <cerrno>

#include "base/check.hpp"
#include "io/file_request.hpp"
#include "scheduler/face.hpp"

namespace trueasync::detail {

namespace {

constexpr long kXfsMagic = 0x58465342;
constexpr long kZfsMagic = 0x2fc12fc1;

class Closing final : public Event {
 public:
  std::string describe() const override { return "a file that is closed"; }
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
  trust_page_cache_ = is_local_file_system(type) && (flags & (O_SYNC | O_DSYNC | O_DIRECT)) == 0;
}

FileHandle::~FileHandle() {
  TRUEASYNC_CHECK(in_flight_.empty(), "a file handle died while a thread worked on it");
  close();
}

void FileHandle::close() noexcept {
  if (closed_) return;
  closed_ = true;
  for (FileWork* work = in_flight_.front(); work; work = in_flight_.next_of(*work)) work->close(nullptr);
  if (in_flight_.empty()) close_descriptor();
  if (closing_) closing_->close(nullptr);
}

Event& FileHandle::closing() {
  if (!closing_) closing_ = Ref<Event>(Ref<Closing>::adopt(new Closing));
  return *closing_;
}

void FileHandle::close_descriptor() noexcept { ::close(std::exchange(fd_, -1)); }

void FileHandle::work_began(FileWork& work) noexcept {
  in_flight_.push_back(work);
  if (work.is_at_position()) at_position_ = Ref<FileWork>(&work);
}

void FileHandle::work_ended(FileWork& work) noexcept {
  work.ListHook::unlink();
  if (work.call() == FileCall::write && work.result() > 0) bytes_written_ += static_cast<std::size_t>(work.result());
  if (at_position_.get() == &work) at_position_ = nullptr;
  if (closed_ && in_flight_.empty()) close_descriptor();
}

IoOutcome FileHandle::wait_for(Event& event, IoDeadline deadline, Place place) {
  immediate_ = 0;
  WaitEntry entry(event);
  WaitRequest request;
  request.entries = std::span(&entry, 1);
  request.deadline = deadline;
  const WakeReason reason = this_scheduler("file I/O").wait(request, place);
  return {0, 0, reason, request.error};
}

IoOutcome FileHandle::wait_turn(Turn& turn, IoDeadline deadline, Place place) {
  IoOutcome outcome;
  if (!turn.enter()) outcome = wait_for(turn, deadline, place);
  // What nobody waits for any more may still be under way at the position.
  while (outcome.is_well() && !closed_ && at_position_) outcome = wait_for(*at_position_, deadline, place);
  return closed_ ? closed_or(0) : outcome;
}

// The page cache answers without end: the others must have their turns nevertheless.
IoOutcome FileHandle::give_way(IoDeadline deadline, Place place) {
  if (immediate_ < kImmediateMax) return {};
  immediate_ = 0;
  IoOutcome outcome = give_way_once(deadline, place);
  return outcome.is_well() && closed_ ? closed_or(0) : outcome;
}

IoOutcome FileHandle::run_work(FileWork& work, IoDeadline deadline, Place place) {
  IoOutcome outcome = wait_for(work, deadline, place);
  if (!outcome.is_well()) return outcome;
  if (!work.is_done()) return closed_or(0);
  if (work.result() < 0) return closed_or(work.error());
  outcome.bytes = work.call() == FileCall::read || work.call() == FileCall::write ? work.result() : 0;
  return outcome;
}

IoOutcome FileHandle::shutdown_write(IoDeadline deadline, Place place) {
  Ref<IoHandle> keep(this);
  Turn turn(turns_);
  if (IoOutcome outcome = wait_turn(turn, deadline, place); !outcome.is_well()) return outcome;
  writable_ = false;  // nobody is at the other end; only we must not write any more
  return {};
}

IoOutcome FileHandle::seek(off_t offset, int whence, std::int64_t& result, IoDeadline deadline, Place place) {
  Ref<IoHandle> keep(this);
  Turn turn(turns_);
  if (IoOutcome outcome = wait_turn(turn, deadline, place); !outcome.is_well()) return outcome;
  result = ::lseek(fd_, offset, whence);
  if (result < 0) return closed_or(errno);
  eof_ = false;
  return {};
}

IoOutcome FileHandle::call(FileCall call, off_t argument, std::int64_t& result, IoDeadline deadline, Place place) {
  if (closed_) return closed_or(EBADF);
  Ref<IoHandle> keep(this);
  auto work = Ref<FileWork>::adopt(new FileWork(*this, call, argument, 0));
  IoOutcome outcome = run_work(*work, deadline, place);
  result = work->is_done() ? work->result() : -1;
  return outcome;
}

Ref<IoRequest> FileHandle::read_request(Bytes buffer, Place place) { return new_file_read(*this, buffer, place); }

Ref<IoRequest> FileHandle::write_request(ConstBytes data, Place place) { return new_file_write(*this, data, place); }

Ref<IoHandle> new_file_handle(int fd, std::string name) {
  return Ref<IoHandle>::adopt(new FileHandle(fd, std::move(name)));
}

}  // namespace trueasync::detail
