#include "io/send_file.hpp"

#include <sys/sendfile.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <vector>

#include "io/socket.hpp"
#include "scheduler/api_support.hpp"
#include "trueasync/io/io.hpp"

namespace trueasync::detail {

namespace {

constexpr std::size_t kMaxChunk = 256 * 1024;

class SendOperation {
 public:
  SendOperation(SendPair& pair, IoWait wait, SourceLocation location) noexcept
      : file_(*pair.file), socket_(*pair.socket), wait_(wait), location_(location) {}

  std::uint64_t run(std::uint64_t count) {
    FifoLockRequest file_lock(file_.position_lock());
    FifoLockRequest socket_lock(socket_.write_lock());
    check_io_result(file_.acquire_position(file_lock, wait_, location_), "read", file_);
    check_io_result(socket_.acquire_lock(socket_lock, wait_, location_), "write", socket_);
    check_open({});
    offset_ = ::lseek(file_.descriptor(), 0, SEEK_CUR);
    const off_t begin = offset_;
    for (std::uint64_t remaining = count; remaining != 0;
         remaining = count - static_cast<std::uint64_t>(offset_ - begin)) {
      if (remaining != count) check_open(yield_once(wait_, location_));
      const std::size_t bytes = static_cast<std::size_t>(std::min<std::uint64_t>(kMaxChunk, remaining));
      if (!(file_.is_cached(offset_, bytes) ? send_from_cache(bytes) : send_from_buffer(bytes))) break;
    }
    return static_cast<std::uint64_t>(offset_ - begin);
  }

 private:
  // Moves the file position past the sent bytes, so that a copy that ends early can be continued.
  void advance(std::size_t bytes) noexcept {
    offset_ += static_cast<off_t>(bytes);
    if (!file_.is_closed()) ::lseek(file_.descriptor(), offset_, SEEK_SET);
  }

  // Throws if the wait failed or one of the handles was closed during it.
  void check_open(const IoResult& outcome) const {
    check_io_result(outcome, "write", socket_);
    if (socket_.is_closed()) throw ClosedError("write " + socket_.name());
    if (file_.is_closed()) throw ClosedError("read " + file_.name());
  }

  void wait_for_socket() {
    WaitEntry entries[] = {WaitEntry(socket_.registration().writable()), WaitEntry(file_.close_event()), WaitEntry()};
    WaitRequest request;
    request.entries = std::span(entries).first(wait_.token() ? 3 : 2);
    if (wait_.token()) {
      entries[2].event = wait_.token();
      entries[2].is_token = true;
    }
    request.deadline = wait_.deadline(TimePoint());
    check_open(to_io_result(require_scheduler("copy").wait(request, location_), request));
  }

  // Returns false at the end of the file.
  bool send_from_cache(std::size_t bytes) {
    for (;;) {
      off_t offset = offset_;
      const ssize_t sent = ::sendfile(socket_.descriptor(), file_.descriptor(), &offset, bytes);
      if (sent >= 0) {
        advance(static_cast<std::size_t>(sent));
        file_.count_read(static_cast<std::size_t>(sent));
        socket_.count_written(static_cast<std::size_t>(sent));
        return sent != 0;
      }
      if (errno == EINTR) continue;
      if (errno != EAGAIN) throw IoError("send " + file_.name() + " to " + socket_.name(), errno);
      wait_for_socket();
    }
  }

  // For data that is not cached. Returns false at the end of the file.
  bool send_from_buffer(std::size_t bytes) {
    buffer_.resize(std::max(buffer_.size(), bytes));
    const IoResult outcome = file_.read_at(offset_, Bytes(buffer_).first(bytes), wait_, location_);
    check_io_result(outcome, "read", file_);
    for (std::size_t done = 0; done < outcome.bytes;) {
      check_open({});
      const iovec piece{buffer_.data() + done, outcome.bytes - done};
      const ssize_t taken = socket_.try_write(&piece, 1);
      if (taken >= 0) {
        done += static_cast<std::size_t>(taken);
        advance(static_cast<std::size_t>(taken));
      } else if (errno == EAGAIN) {
        wait_for_socket();
      } else {
        throw IoError("write " + socket_.name(), errno);
      }
    }
    return outcome.bytes != 0;
  }

  FileHandle& file_;
  StreamHandle& socket_;
  IoWait wait_;
  SourceLocation location_;
  off_t offset_ = 0;
  std::vector<std::byte> buffer_;
};

bool is_stream_socket(int fd) noexcept {
  int type = 0;
  socklen_t size = sizeof type;
  return ::getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size) == 0 && type == SOCK_STREAM;
}

// Null for a stream that is neither an Io nor a File.
IoHandle* find_handle(Stream& stream) {
  if (auto* io = dynamic_cast<Io*>(&stream)) return &Access::handle(*io);
  if (auto* file = dynamic_cast<File*>(&stream)) return &Access::handle(*file);
  return nullptr;
}

}  // namespace

std::optional<SendPair> find_send_pair(Stream& from, Stream& to) {
  auto* file = dynamic_cast<FileHandle*>(find_handle(from));
  auto* socket = dynamic_cast<StreamHandle*>(find_handle(to));
  if (!file || !socket || !file->state().readable || !is_stream_socket(socket->descriptor())) return std::nullopt;
  if (::lseek(file->descriptor(), 0, SEEK_CUR) < 0) return std::nullopt;  // a device without a position
  return SendPair{Ref<FileHandle>(file), Ref<StreamHandle>(socket)};
}

std::uint64_t send_file(SendPair& pair, std::uint64_t count, IoWait wait, SourceLocation location) {
  ignore_broken_pipes();  // sendfile() has no MSG_NOSIGNAL
  return SendOperation(pair, wait, location).run(count);
}

}  // namespace trueasync::detail
