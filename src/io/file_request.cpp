#include "io/file_request.hpp"

#include <algorithm>
#include <cstring>
#include <vector>

#include "trueasync/task.hpp"

namespace trueasync::detail {

namespace {

class FileRequest;

// What the coroutine works on. The request may go before it.
struct FileJob {
  FileJob(FileHandle& file, FileRequest& owner) : handle(&file), request(&owner) {}

  Ref<FileHandle> handle;
  FileRequest* request;
  std::vector<std::byte> memory;
};

class FileRequest final : public IoRequest {
 public:
  FileRequest(FileHandle& handle, Bytes buffer, ConstBytes data, SourceLocation location)
      : buffer_(buffer), data_(data), location_(location), job_(std::make_shared<FileJob>(handle, *this)) {}

  std::size_t result() const override {
    if (!is_completed()) throw MisuseError("a request has a result when it is completed: wait for it first");
    check_io_result({bytes(), outcome(), WakeReason::none, nullptr}, is_read() ? "read" : "write", *job_->handle);
    return bytes();
  }

  std::string describe() const override { return std::string(is_read() ? "read " : "write ") + job_->handle->name(); }

  void finish(const IoResult& outcome) noexcept {
    if (is_read() && outcome.bytes != 0) std::memcpy(buffer_.data(), job_->memory.data(), outcome.bytes);
    complete(outcome.bytes, outcome.ok() || outcome.error != 0 ? outcome.error : ECANCELED);
  }

 protected:
  ~FileRequest() override { job_->request = nullptr; }

  // The first wait begins it; it is not taken back when the wait ends.
  std::exception_ptr on_start() noexcept override {
    if (begun_) return nullptr;
    try {
      const std::size_t size = std::min(is_read() ? buffer_.size() : data_.size(), kFileWorkBytes);
      job_->memory.resize(size);
      if (!is_read() && size != 0) std::memcpy(job_->memory.data(), data_.data(), size);
      spawn({.name = is_read() ? "file read" : "file write"}, Body{job_, is_read(), location_}, location_);
      begun_ = true;
      return nullptr;
    } catch (...) {
      return std::current_exception();
    }
  }

 private:
  struct Body {
    std::shared_ptr<FileJob> job;
    bool is_read;
    SourceLocation location;

    void operator()() {
      const Bytes memory(job->memory);
      const IoResult outcome = is_read ? job->handle->read(memory, std::nullopt, location)
                                       : job->handle->write_some(memory, std::nullopt, location);
      if (job->request) job->request->finish(outcome);
    }
  };

  bool is_read() const noexcept { return data_.data() == nullptr; }

  Bytes buffer_;
  ConstBytes data_;
  SourceLocation location_;
  std::shared_ptr<FileJob> job_;
  bool begun_ = false;
};

}  // namespace

Ref<IoRequest> new_file_read(FileHandle& handle, Bytes buffer, SourceLocation location) {
  return Ref<IoRequest>(Ref<FileRequest>::adopt(new FileRequest(handle, buffer, {}, location)));
}

Ref<IoRequest> new_file_write(FileHandle& handle, ConstBytes data, SourceLocation location) {
  // An empty write is one too: it must not look like a read.
  static constexpr std::byte kNothing{};
  if (data.data() == nullptr) data = ConstBytes(&kNothing, 0);
  return Ref<IoRequest>(Ref<FileRequest>::adopt(new FileRequest(handle, {}, data, location)));
}

}  // namespace trueasync::detail
