// Reads and writes of files as requests.
#include <algorithm>
#include <cstring>
#include <vector>

#include "io/file_handle.hpp"
#include "trueasync/io/io.hpp"
#include "trueasync/task.hpp"

namespace trueasync::detail {

namespace {

class FileRequest;

// State of the coroutine. `request` is null after the request was destroyed.
struct FileRequestState {
  FileRequestState(FileHandle& file, FileRequest& owner) : handle(&file), request(&owner) {}

  Ref<FileHandle> handle;
  FileRequest* request;
  std::vector<std::byte> memory;
};

class FileRequest final : public IoRequest {
 public:
  FileRequest(FileHandle& handle, Bytes buffer, ConstBytes data, SourceLocation location)
      : buffer_(buffer), data_(data), location_(location), state_(std::make_shared<FileRequestState>(handle, *this)) {}

  std::size_t result() const override {
    if (!is_completed()) throw MisuseError(describe() + ": the request is not completed; wait for it first");
    check_io_result({bytes(), outcome(), WakeReason::none, nullptr}, is_read() ? "read" : "write", *state_->handle);
    return bytes();
  }

  std::string describe() const override { return std::string(is_read() ? "read " : "write ") + state_->handle->name(); }

  void finish(const IoResult& outcome) noexcept {
    if (is_read() && outcome.bytes != 0) std::memcpy(buffer_.data(), state_->memory.data(), outcome.bytes);
    complete(outcome.bytes, outcome.ok() || outcome.error != 0 ? outcome.error : ECANCELED);
  }

 protected:
  ~FileRequest() override { state_->request = nullptr; }

  // The first wait starts the operation. The end of the wait does not stop it.
  std::exception_ptr on_start() noexcept override {
    if (started_) return nullptr;
    try {
      const std::size_t size = std::min(is_read() ? buffer_.size() : data_.size(), kMaxFileOperationBytes);
      state_->memory.resize(size);
      if (!is_read() && size != 0) std::memcpy(state_->memory.data(), data_.data(), size);
      spawn({.name = is_read() ? "file read" : "file write"}, Body{state_, is_read(), location_}, location_);
      started_ = true;
      return nullptr;
    } catch (...) {
      return std::current_exception();
    }
  }

 private:
  struct Body {
    std::shared_ptr<FileRequestState> state;
    bool is_read;
    SourceLocation location;

    void operator()() {
      const Bytes memory(state->memory);
      const IoResult outcome =
          is_read ? state->handle->read_some(memory, {}, location) : state->handle->write_some(memory, {}, location);
      if (state->request) state->request->finish(outcome);
    }
  };

  bool is_read() const noexcept { return data_.data() == nullptr; }

  Bytes buffer_;
  ConstBytes data_;
  SourceLocation location_;
  std::shared_ptr<FileRequestState> state_;
  bool started_ = false;
};

}  // namespace

Ref<IoRequest> new_file_read(FileHandle& handle, Bytes buffer, SourceLocation location) {
  return Ref<IoRequest>(Ref<FileRequest>::adopt(new FileRequest(handle, buffer, {}, location)));
}

Ref<IoRequest> new_file_write(FileHandle& handle, ConstBytes data, SourceLocation location) {
  // is_read() tests for a null pointer: an empty write needs a valid one.
  static constexpr std::byte kEmpty{};
  if (data.data() == nullptr) data = ConstBytes(&kEmpty, 0);
  return Ref<IoRequest>(Ref<FileRequest>::adopt(new FileRequest(handle, {}, data, location)));
}

}  // namespace trueasync::detail
