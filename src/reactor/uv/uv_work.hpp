// UvWork: one uv_work_t per WorkEvent in flight. Requests are kept for reuse, so that steady file I/O does not
// allocate.
#pragma once

#include "reactor/epoll/epoll_reactor.hpp"
#include "reactor/work_event.hpp"

namespace trueasync::detail {

class UvWork final : public UvRequest, public WorkRunner {
 public:
  // Throws std::bad_alloc or Error if the work was not submitted.
  static void submit(EpollReactor& reactor, WorkEvent& work);
  // Frees the spare requests when the reactor closes.
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
