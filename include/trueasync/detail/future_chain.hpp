// future_chain.hpp: map(), catch_error() and finally(). Each links a future to a new future. Included by future.hpp.
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

#include "trueasync/sync/future.hpp"
#include "trueasync/task.hpp"

namespace trueasync::detail {

enum class LinkKind : std::uint8_t { map, catch_error, finally };
// ValueUse: whether the link copies the value of its source, which other awaiters may need, or moves it.
enum class ValueUse : std::uint8_t { copy, move };

template <class T, class F>
struct MapResult {
  using Type = std::invoke_result_t<F&, T>;
};
template <class F>
struct MapResult<void, F> {
  using Type = std::invoke_result_t<F&>;
};

// FutureLink: waits for `source_`, calls the function in a new coroutine and settles `result_`. If the function does
// not apply, the outcome of the source is forwarded without a coroutine.
template <LinkKind kKind, ValueUse kUse, class T, class U, class F>
class FutureLink final : public Continuation {
 public:
  FutureLink(Ref<FutureState<T>> source, F function, SourceLocation location)
      : source_(std::move(source)),
        result_(Ref<FutureState<U>>::adopt(new FutureState<U>(location))),
        function_(std::move(function)),
        location_(location) {}
  // Settles the result as cancelled if the callback's coroutine was cancelled before it started.
  ~FutureLink() override {
    if (result_->phase() == FuturePhase::pending) result_->settle(FuturePhase::cancelled, nullptr, location_);
  }

  Future<U> future() const noexcept { return Future<U>(result_); }

  void on_settled() noexcept override {
    std::unique_ptr<FutureLink> self(this);
    if (source_->phase() != FuturePhase::value)
      source_->mark_error_observed();  // the error is now reported by `result_`
    if (!needs_callback()) return forward_outcome();
    Body body{std::move(self)};
    try {
      spawn_callback(body);
    } catch (...) {  // no coroutine could be spawned; `body` still owns this link
      result_->fail_with_current_exception(location_);
    }
  }

 private:
  struct Body {
    std::unique_ptr<FutureLink> link;
    void operator()() { link->run(); }
  };

  // Spawns in the scope of the coroutine that settled the future. If that scope is closed, the callback still must run.
  // A spawn that throws has not moved `body`.
  void spawn_callback(Body& body) {
    const SourceLocation location = location_;
    try {
      spawn(std::move(body), location);
    } catch (const MisuseError&) {
      spawn_in(&detached_owner(), {}, std::move(body), location);
    }
  }

  bool needs_callback() const noexcept {
    return kKind == LinkKind::finally ||
           source_->phase() == (kKind == LinkKind::map ? FuturePhase::value : FuturePhase::error);
  }

  // take(1) moves the value out if only this link refers to the source or the value cannot be copied.
  T value() {
    if constexpr (kUse == ValueUse::move) {
      return source_->take(1);
    } else {
      return source_->copy();
    }
  }

  void forward_outcome() noexcept {
    if (source_->phase() != FuturePhase::value) return result_->settle(source_->phase(), source_->error(), location_);
    if constexpr (kKind != LinkKind::map) result_->complete_from([this] { return value(); }, location_);
  }

  void run() {
    if constexpr (kKind == LinkKind::map) {
      result_->complete_from([this]() -> U { return call_map(); }, location_);
    } else if constexpr (kKind == LinkKind::catch_error) {
      result_->complete_from([this]() -> U { return function_(source_->error()); }, location_);
    } else {
      result_->complete_from(
          [this]() -> U {
            function_();
            if (source_->phase() != FuturePhase::value) source_->throw_error();
            return value();
          },
          location_);
    }
  }

  U call_map() {
    if constexpr (std::is_void_v<T>) {
      return function_();
    } else if constexpr (kUse == ValueUse::move) {
      return function_(source_->take(1));
    } else {
      return function_(source_->value());
    }
  }

  Ref<FutureState<T>> source_;
  Ref<FutureState<U>> result_;
  F function_;
  SourceLocation location_;
};

template <LinkKind kKind, ValueUse kUse, class U, class T, class F>
Future<U> link(Ref<FutureState<T>> source, F&& function, SourceLocation location) {
  using Link = FutureLink<kKind, kUse, T, U, std::decay_t<F>>;
  require_runtime("a continuation of a future");
  FutureState<T>& state = *source;
  auto continuation = std::make_unique<Link>(std::move(source), std::forward<F>(function), location);
  Future<U> result = continuation->future();
  state.then(std::move(continuation));
  return result;
}

}  // namespace trueasync::detail

namespace trueasync {

template <class T>
template <class F>
auto Future<T>::map(F&& function, SourceLocation location) const& {
  using Argument = std::conditional_t<std::is_void_v<T>, void, std::add_lvalue_reference_t<const T>>;
  using U = typename detail::MapResult<Argument, std::decay_t<F>>::Type;
  return detail::link<detail::LinkKind::map, detail::ValueUse::copy, U>(Ref<State>(&state("map")),
                                                                        std::forward<F>(function), location);
}
template <class T>
template <class F>
auto Future<T>::map(F&& function, SourceLocation location) && {
  using U = typename detail::MapResult<T, std::decay_t<F>>::Type;
  state("map");
  return detail::link<detail::LinkKind::map, detail::ValueUse::move, U>(std::move(state_), std::forward<F>(function),
                                                                        location);
}

template <class T>
template <class F>
Future<T> Future<T>::catch_error(F&& function, SourceLocation location) const& {
  return detail::link<detail::LinkKind::catch_error, detail::ValueUse::copy, T>(Ref<State>(&state("catch_error")),
                                                                                std::forward<F>(function), location);
}
template <class T>
template <class F>
Future<T> Future<T>::catch_error(F&& function, SourceLocation location) && {
  state("catch_error");
  return detail::link<detail::LinkKind::catch_error, detail::ValueUse::move, T>(std::move(state_),
                                                                                std::forward<F>(function), location);
}

template <class T>
template <class F>
Future<T> Future<T>::finally(F&& function, SourceLocation location) const& {
  return detail::link<detail::LinkKind::finally, detail::ValueUse::copy, T>(Ref<State>(&state("finally")),
                                                                            std::forward<F>(function), location);
}
template <class T>
template <class F>
Future<T> Future<T>::finally(F&& function, SourceLocation location) && {
  state("finally");
  return detail::link<detail::LinkKind::finally, detail::ValueUse::move, T>(std::move(state_),
                                                                            std::forward<F>(function), location);
}

}  // namespace trueasync
