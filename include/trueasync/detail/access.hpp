// Access: gives the library, its C API and hosts what the public classes keep private. Not part of the public interface.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "trueasync/detail/ref.hpp"

namespace trueasync {

class Cancelled;
class Coroutine;
class DeadlineError;
class Runtime;
class ScopeRef;

namespace detail {

struct ControlBlock;
class ResourcePool;
class Scheduler;
class ScopeState;

// Templates, because the classes are incomplete here.
struct Access {
  template <class C>
  static ControlBlock* block(const C& coroutine) noexcept {
    return coroutine.block_;
  }
  template <class C = Coroutine>
  static C coroutine(ControlBlock* block) noexcept {
    return C(block);
  }

  template <class S>
  static ScopeState& state(const S& scope) noexcept {
    return *scope.state_;
  }
  template <class S = ScopeRef>
  static S scope(Ref<ScopeState> state) noexcept {
    return S(std::move(state));
  }

  template <class P>
  static ResourcePool& core(const P& pool) noexcept {
    return *pool.core_;
  }

  template <class R>
  static Scheduler& scheduler(R& runtime) noexcept {
    return runtime.scheduler();
  }
  // A runtime on a given reactor.
  template <class R = Runtime, class Options, class ReactorPointer>
  static std::unique_ptr<R> make_runtime(Options options, ReactorPointer reactor) {
    return std::unique_ptr<R>(new R(std::move(options), std::move(reactor)));
  }

  // The cancellation of `owner` itself.
  template <class E = Cancelled>
  static E cancelled(std::string message, ControlBlock* owner) noexcept {
    return E(std::move(message), owner);
  }
  // `in_flight` counts the existing errors of the coroutine.
  template <class E = DeadlineError>
  static E deadline_error(const std::string& message, std::shared_ptr<unsigned> in_flight) {
    return E(message, std::move(in_flight));
  }

  // I/O. The object behind an Io, a File, a Listener, a DatagramSocket or a Process; MisuseError if there is none.
  template <class H>
  static auto& handle(const H& owner) {
    return owner.handle();
  }
  // An Io, a Listener, a DatagramSocket or a FileLock that owns its first argument.
  template <class H, class... Arguments>
  static H from_handle(Arguments&&... arguments) {
    return H(std::forward<Arguments>(arguments)...);
  }
};

}  // namespace detail
}  // namespace trueasync
