// Requests on a StreamHandle: one read or write as an event. A request takes the handle's FIFO lock when it is started,
// tries the operation and continues in readiness notifications. A request that is stopped early releases the lock. Its
// bytes() then counts everything that it moved.
#include <sys/uio.h>

#include <cerrno>

#include "io/stream_handle.hpp"
#include "trueasync/error.hpp"
#include "trueasync/io/io.hpp"

namespace trueasync::detail {

namespace {

class StreamRequest : public IoRequest {
 public:
  StreamRequest(StreamHandle& handle, FifoLock& lock, const char* operation)
      : handle_(&handle), lock_(lock), operation_(operation) {
    granted_.request = ready_.request = this;
    granted_.callback = ready_.callback = [](Subscription& subscription, const Notification&) noexcept {
      static_cast<Step&>(subscription).request->resume();
    };
  }

  std::size_t result() const override {
    if (!is_completed()) {
      throw MisuseError(std::string(operation_) + " " + handle_->name() +
                        ": the request is not completed; wait for it first");
    }
    if (failure_) std::rethrow_exception(failure_);
    check_io_result({bytes(), outcome(), WakeReason::none, nullptr}, operation_, *handle_);
    return bytes();
  }
  std::string describe() const override { return std::string(operation_) + " on " + handle_->name(); }

 protected:
  // One attempt. Returns true when the operation is finished, with its `bytes` and `code`.
  virtual bool attempt(std::size_t& bytes, int& code) = 0;
  virtual Event& readiness() = 0;
  StreamHandle& handle() noexcept { return *handle_; }

  std::exception_ptr on_start() noexcept override {
    if (!lock_.is_owner() && !lock_.lock_or_enqueue()) {
      lock_.subscribe(granted_);
      return nullptr;
    }
    std::exception_ptr error = advance();
    if (error) lock_.release();
    return error;
  }

  void on_stop() noexcept override {
    lock_.unsubscribe(granted_);
    stop_waiting();
    lock_.release();
  }

 private:
  struct Step : Subscription {
    StreamRequest* request = nullptr;
  };

  void resume() noexcept {
    stop_waiting();
    if ((failure_ = advance())) {
      lock_.release();
      complete(bytes(), EIO);  // result() throws failure_
    }
  }

  std::exception_ptr advance() noexcept {
    try {
      std::size_t moved = bytes();
      int code = 0;
      if (handle_->is_closed()) {
        code = kIoClosed;
      } else if (!attempt(moved, code)) {
        Event& event = readiness();
        event.subscribe(ready_);
        if (auto error = event.start()) {
          event.unsubscribe(ready_);
          return error;
        }
        waiting_ = &event;
        return nullptr;
      }
      lock_.release();
      complete(moved, code);
      return nullptr;
    } catch (...) {
      return std::current_exception();
    }
  }

  void stop_waiting() noexcept {
    if (!waiting_) return;
    waiting_->unsubscribe(ready_);
    std::exchange(waiting_, nullptr)->stop();
  }

  Ref<StreamHandle> handle_;
  FifoLockRequest lock_;
  const char* operation_;
  Event* waiting_ = nullptr;
  std::exception_ptr failure_;  // of the wait, not of the operation
  Step granted_;
  Step ready_;
};

class ReadRequest final : public StreamRequest {
 public:
  ReadRequest(StreamHandle& handle, Bytes buffer)
      : StreamRequest(handle, handle.read_lock(), "read"), buffer_(buffer) {}

 protected:
  bool attempt(std::size_t& bytes, int& code) override {
    if (handle().is_drained()) {
      handle().set_drained(false);
      return false;
    }
    const ssize_t got = handle().try_read(buffer_);
    if (got < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return false;
    if (got < 0) code = errno;
    if (got == 0 && handle().kind() != IoKind::udp && !buffer_.empty()) handle().mark_eof();
    if (got > 0) bytes = static_cast<std::size_t>(got);
    return true;
  }
  Event& readiness() override { return handle().registration().readable(); }

 private:
  Bytes buffer_;
};

class WriteRequest final : public StreamRequest {
 public:
  WriteRequest(StreamHandle& handle, ConstBytes data)
      : StreamRequest(handle, handle.write_lock(), "write"), remaining_(data), size_(data.size()) {}

 protected:
  bool attempt(std::size_t& bytes, int& code) override {
    while (!remaining_.empty()) {
      const iovec piece{const_cast<std::byte*>(remaining_.data()), remaining_.size()};
      const ssize_t taken = handle().try_write(&piece, 1);
      if (taken < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return false;
      if (taken < 0) {
        code = errno;
        break;
      }
      remaining_ = remaining_.subspan(static_cast<std::size_t>(taken));
      progress(size_ - remaining_.size());
    }
    bytes = size_ - remaining_.size();
    return true;
  }
  Event& readiness() override { return handle().registration().writable(); }

 private:
  ConstBytes remaining_;
  std::size_t size_;
};

}  // namespace

Ref<IoRequest> new_read_request(StreamHandle& handle, Bytes buffer) {
  return Ref<IoRequest>::adopt(new ReadRequest(handle, buffer));
}

Ref<IoRequest> new_write_request(StreamHandle& handle, ConstBytes data) {
  return Ref<IoRequest>::adopt(new WriteRequest(handle, data));
}

}  // namespace trueasync::detail
