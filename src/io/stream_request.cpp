#include "io/stream_request.hpp"

#include <sys/uio.h>

#include <cerrno>

#include "trueasync/error.hpp"

namespace trueasync::detail {

namespace {

class StreamRequest : public IoRequest {
 public:
  StreamRequest(StreamHandle& handle, FifoLock& queue, const char* operation)
      : handle_(&handle), turn_(queue), operation_(operation) {
    granted_.request = ready_.request = this;
    granted_.callback = ready_.callback = [](Subscription& subscription, const Notification&) noexcept {
      static_cast<Step&>(subscription).request->go_on();
    };
  }

  std::size_t result() const override {
    if (!is_completed()) throw MisuseError(std::string(operation_) + " " + handle_->name() + " is not completed yet");
    if (failure_) std::rethrow_exception(failure_);
    check_io_result({bytes(), outcome(), WakeReason::none, nullptr}, operation_, *handle_);
    return bytes();
  }
  std::string describe() const override { return std::string(operation_) + " on " + handle_->name(); }

 protected:
  // One try. True: over, with `bytes` and `code`.
  virtual bool attempt(std::size_t& bytes, int& code) = 0;
  virtual Event& readiness() = 0;
  StreamHandle& handle() noexcept { return *handle_; }

  std::exception_ptr on_start() noexcept override {
    if (!turn_.is_owner() && !turn_.lock_or_enqueue()) {
      turn_.subscribe(granted_);
      return nullptr;
    }
    std::exception_ptr error = try_and_wait();
    if (error) turn_.release();
    return error;
  }

  void on_stop() noexcept override {
    turn_.unsubscribe(granted_);
    stop_waiting();
    turn_.release();
  }

 private:
  struct Step : Subscription {
    StreamRequest* request = nullptr;
  };

  void go_on() noexcept {
    stop_waiting();
    if ((failure_ = try_and_wait())) {
      turn_.release();
      complete(bytes(), EIO);  // the failure itself is what result() throws
    }
  }

  std::exception_ptr try_and_wait() noexcept {
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
      turn_.release();
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
  FifoLockRequest turn_;
  const char* operation_;
  Event* waiting_ = nullptr;
  std::exception_ptr failure_;  // of waiting, not of the operation
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
      : StreamRequest(handle, handle.write_lock(), "write"), rest_(data), size_(data.size()) {}

 protected:
  bool attempt(std::size_t& bytes, int& code) override {
    while (!rest_.empty()) {
      const iovec piece{const_cast<std::byte*>(rest_.data()), rest_.size()};
      const ssize_t taken = handle().try_write(&piece, 1);
      if (taken < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return false;
      if (taken < 0) {
        code = errno;
        break;
      }
      rest_ = rest_.subspan(static_cast<std::size_t>(taken));
      progress(size_ - rest_.size());
    }
    bytes = size_ - rest_.size();
    return true;
  }
  Event& readiness() override { return handle().registration().writable(); }

 private:
  ConstBytes rest_;
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
