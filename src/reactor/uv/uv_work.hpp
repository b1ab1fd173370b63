// Work on libuv's pool: one uv_work_t per WorkEvent that is under way. Requests are kept for reuse, so that steady file
// I/O allocates nothing.
#pragma once

#include "reactor/epoll/epoll_reactor.hpp"
#include "reactor/work_event.hpp"

namespace trueasync::detail {

class UvWork final : public UvRequest, public WorkRunner {
 public:
  // Throws std::bad_alloc and Error; then nothing has begun.
  static void submit(EpollReactor& reactor, WorkEvent& work);
  // At the reactor's end: requests that nobody uses.
  static void free_spares(EpollReactor& reactor) noexcept;

  void cancel_if_queued() noexcept override { cancel(); }
  void cancel() noexcept override {
    if (work_->is_cancellable()) uv_cancel(reinterpret_cast<uv_req_t*>(&request_));
  }
  std::string abandon() noexcept override;

 private:
  explicit UvWork(EpollReactor& reactor) noexcept : reactor_(reactor) { request_.data = this; }
  void on_done(int status) noexcept;

  uv_work_t request_;
  EpollReactor& reactor_;
  WorkEvent* work_ = nullptr;
};

}  // namespace trueasync::detail
