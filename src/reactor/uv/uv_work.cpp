#include "reactor/uv/uv_work.hpp"

namespace trueasync::detail {

namespace {

// More than the pool has threads, so that steady I/O always finds a spare request; small enough to keep.
constexpr std::size_t kMaxSpares = 64;

}  // namespace

void UvWork::submit(EpollReactor& reactor, WorkEvent& work) {
  auto& spares = reactor.spare_works();
  UvWork* self = nullptr;
  if (!spares.empty()) {
    self = spares.back();
    spares.pop_back();
  } else {
    spares.reserve(kMaxSpares);  // on_done() must not fail
    self = new UvWork(reactor);
  }
  self->work_ = &work;
  const int code = uv_queue_work(
      reactor.loop(), &self->request_, [](uv_work_t* request) { static_cast<UvWork*>(request->data)->work_->run(); },
      [](uv_work_t* request, int status) { static_cast<UvWork*>(request->data)->on_done(status); });
  if (code != 0) {
    spares.push_back(self);
    std::rethrow_exception(uv_error(work.describe().c_str(), code));
  }
  // The thread may have finished the work already, but on_done() runs in a later iteration of this thread's loop.
  work.begin(*self);
  reactor.requests().push_back(*self);
  ++reactor.liveness().foreground;
}

void UvWork::on_done(int status) noexcept {
  if (!is_linked()) return;  // abandoned
  unlink();
  --reactor_.liveness().foreground;
  WorkEvent& work = *std::exchange(work_, nullptr);
  auto& spares = reactor_.spare_works();
  if (spares.size() < kMaxSpares) {
    spares.push_back(this);
  } else {
    delete this;
  }
  work.finish(status == UV_ECANCELED);
}

std::string UvWork::abandon() noexcept {
  --reactor_.liveness().foreground;
  work_->abandon();
  return work_->describe();
}

void UvWork::free_spares(EpollReactor& reactor) noexcept {
  for (UvWork* spare : std::exchange(reactor.spare_works(), {})) delete spare;
}

}  // namespace trueasync::detail
