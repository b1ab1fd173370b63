// FutureLink: connects a future of a chain (the source) to the next future. Its callback runs in its own coroutine, the
// worker.
//
// Ownership: the source owns the link until it is settled. Then the link is the producer of the next future while the
// worker runs. The link holds a reference to the next future.
#pragma once

#include "future.hpp"
#include "support/stored_call.hpp"

namespace trueasync::php {

enum class LinkKind : std::uint8_t {
  map,          // calls the callback with a value; forwards an error
  catch_error,  // catch(): calls the callback with an error; forwards a value
  finally,      // calls the callback with either, then forwards it
  run,          // no source: the worker's result is the future's result
};

class FutureLink final : public FutureProducer, public ResultConsumer, public detail::ListHook {
 public:
  // Copies the call and takes over the reference to `next`.
  FutureLink(LinkKind kind, const zend_fcall_info& call, const zend_fcall_info_cache& cache, FutureStateObject& next,
             SourceLocation location) noexcept;
  ~FutureLink() override;

  // Called when the source is settled.
  static void start(std::unique_ptr<FutureLink> self, FutureStateObject& source) noexcept;
  // Without a source: runs `call` with its own arguments.
  static void start(std::unique_ptr<FutureLink> self) noexcept;

  void cancel(zend_object* reason) noexcept override;
  void report(GcBuffer& buffer) noexcept override;
  bool wants_result() const noexcept override { return next().is_wanted(); }
  // While the source owns the link, the source also reports the reference to the next future. Later that reference forms
  // a cycle with the producer; the collector must not see it, because it lasts as long as the worker.
  void report_while_pending(GcBuffer& buffer) noexcept;

 private:
  struct WorkerSubscription : Subscription {
    FutureLink* link = nullptr;
  };

  FutureStateObject& next() const noexcept { return Class<FutureStateObject>::of(next_); }
  bool needs_callback(bool is_error) const noexcept;
  static void settle(FutureStateObject& next, zval* outcome, bool is_error, SourceLocation location) noexcept;
  static void start_worker(std::unique_ptr<FutureLink> self, const zend_fcall_info& call) noexcept;
  void spawn_worker(const zend_fcall_info& call) noexcept;
  void on_worker_finished() noexcept;

  LinkKind kind_;
  bool source_failed_ = false;
  SourceLocation location_;
  StoredCall call_;
  zend_object* next_;
  Value source_outcome_;  // finally: the value or error to forward
  CoroutineObject* worker_ = nullptr;
  Coroutine worker_handle_;  // keeps the event of the subscription alive
  WorkerSubscription worker_subscription_;
};

}  // namespace trueasync::php
