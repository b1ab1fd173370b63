// Async\FutureState and Async\Future, on the library's FutureState<Value>.
//
// One FutureStateObject per future has the library's state, and with it the value, alone; every Future holds that
// object. So the collector sees a graph of PHP objects, each reference reported once. What will settle a future – a link
// of a chain, a signal – is its producer.
//
// Threads: the engine's. Errors: a failure that nobody took when the last object goes is a warning, unless ignored.
#pragma once

#include <memory>

#include "coroutine.hpp"
#include "support/object.hpp"
#include "trueasync/future.hpp"

namespace trueasync::php {

struct FutureStateObject;
class FutureLink;

// Somebody who will settle a future; gone when that has happened, or nobody can want it any more.
class FutureProducer {
 public:
  virtual ~FutureProducer() = default;
  // The future was cancelled.
  virtual void cancel(zend_object* reason) noexcept = 0;
  virtual void report(GcBuffer& buffer) noexcept = 0;
};

// Who settles it: whoever has the object, an event, or a channel (see channel_future.hpp).
enum class SettledBy : std::uint8_t { object, event, channel };

struct FutureStateObject {
  using State = detail::FutureState<Value>;

  FutureStateObject() noexcept { dispatch_.owner = this; }
  ~FutureStateObject();
  void report(GcBuffer& buffer) noexcept;
  // The references that keep it until it is settled, for whoever would do that.
  void report_pending_references(GcBuffer& buffer) noexcept;
  void on_destruct() noexcept;

  // Whether anybody but who will settle it can still see the outcome.
  bool is_wanted() noexcept;
  bool is_pending() const noexcept { return state->phase() == detail::FuturePhase::pending; }
  // Each settles a pending one; fail takes the error over.
  void complete(Value value, SourceLocation location) noexcept;
  void fail(zend_object* error, SourceLocation location) noexcept;
  void cancel(zend_object* reason, SourceLocation location) noexcept;
  // Of a settled one: a copy of the value, or the error with a reference for the caller. It counts as dealt with.
  zend_object* take(zval* result) noexcept;

  // Of a chain: `link` is begun when this one is settled, at once if it is. One that is settled by an event, not by a
  // FutureState that somebody has, lives until then.
  void add(std::unique_ptr<FutureLink> link) noexcept;

  Ref<State> state;
  std::unique_ptr<FutureProducer> producer;
  SettledBy settled_by = SettledBy::object;

 private:
  struct Dispatch final : detail::Continuation {
    void on_settled() noexcept override { owner->begin_links(); }
    FutureStateObject* owner = nullptr;
  };
  void hold_for_links() noexcept;
  void begin_links() noexcept;
  void drop_links() noexcept;
  bool is_known_to_us() const noexcept;

  zend_object* error_ = nullptr;  // the one inside the state's error, which owns it
  detail::IntrusiveList<FutureLink> links_;
  Dispatch dispatch_;
  bool is_held_ = false;     // by itself, until its links have begun
  bool is_started_ = false;  // as an event, for them
};

struct FutureObject final : AwaitableSource {
  ~FutureObject();
  void report(GcBuffer& buffer) noexcept { buffer.add(state_object); }
  void on_destruct() noexcept;

  bool is_ready() noexcept override { return !state().is_pending(); }
  Event* event() noexcept override;
  zend_object* take(const Notification& notification, zval* result) noexcept override;
  bool has_failed() noexcept override { return state().state->phase() != detail::FuturePhase::value; }
  void cancel_source() noexcept override;

  FutureStateObject& state() const noexcept { return Class<FutureStateObject>::of(state_object); }

  zend_object* state_object = nullptr;
  bool is_used = false;
};

// A new state object; the caller has the reference. The runtime must have been started.
FutureStateObject& make_future_state(SourceLocation location);
// One with a state of the library's own making, which settles itself.
FutureStateObject& adopt_future_state(Ref<FutureStateObject::State> state, SettledBy by);
// A Future of it; the reference to the state object is taken over.
zend_object* make_future(FutureStateObject& state);

inline zend_object* object_of(FutureStateObject& state) noexcept { return Class<FutureStateObject>::object_of(state); }

void register_future_state();
void register_future();

}  // namespace trueasync::php
