// FutureLink: what ties a future to the one before it in a chain, by a callback that runs in a coroutine of its own.
//
// Until its source is settled it belongs to the source; from then on, while the coroutine runs, it is the producer of
// the next future, which it holds.
#pragma once

#include "future.hpp"
#include "support/stored_call.hpp"

namespace trueasync::php {

enum class LinkKind : std::uint8_t {
  map,          // called with a value; an error passes
  catch_error,  // catch(): called with an error; a value passes
  finally,      // called with either, which passes then
  run,          // no source: the coroutine's result is the future's
};

class FutureLink final : public FutureProducer, public ResultConsumer, public detail::ListHook {
 public:
  // The call is copied; the reference to `next` taken over.
  FutureLink(LinkKind kind, const zend_fcall_info& call, const zend_fcall_info_cache& cache, FutureStateObject& next,
             SourceLocation location) noexcept;
  ~FutureLink() override;

  // The source is settled. Takes itself over.
  static void begin(std::unique_ptr<FutureLink> self, FutureStateObject& source) noexcept;
  // Without a source: calls it with what `call` brought along.
  static void begin(std::unique_ptr<FutureLink> self) noexcept;

  void cancel(zend_object* reason) noexcept override;
  void report(GcBuffer& buffer) noexcept override;
  bool wants_result() const noexcept override { return next().is_wanted(); }
  // While it belongs to its source, its reference to the next future is the source's matter too. Later it is a circle
  // of our own making that the collector must not see: it lasts as long as the coroutine.
  void report_while_pending(GcBuffer& buffer) noexcept;

 private:
  struct WorkerEnd : Subscription {
    FutureLink* link = nullptr;
  };

  FutureStateObject& next() const noexcept { return Class<FutureStateObject>::of(next_); }
  bool calls(bool is_error) const noexcept;
  static void settle(FutureStateObject& next, zval* outcome, bool is_error, SourceLocation location) noexcept;
  static void start(std::unique_ptr<FutureLink> self, const zend_fcall_info& call) noexcept;
  void spawn_worker(const zend_fcall_info& call) noexcept;
  void worker_ended() noexcept;

  LinkKind kind_;
  bool passes_error_ = false;
  SourceLocation location_;
  StoredCall call_;
  zend_object* next_;
  Value passed_;  // finally: the source's outcome
  CoroutineObject* worker_ = nullptr;
  Coroutine worker_handle_;  // what the subscription is to lives as long as this
  WorkerEnd worker_end_;
};

}  // namespace trueasync::php
