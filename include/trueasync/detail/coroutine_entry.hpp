// EntryOps: how the scheduler runs a C++ callable as a coroutine.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <optional>
#include <type_traits>
#include <utility>

#include "trueasync/export.hpp"

namespace trueasync::detail {

struct ControlBlock;

enum class Outcome : std::uint8_t { none, value, error, cancelled };

// EntryOps: the operations of one closure type. Closure and result share one storage: the closure is destroyed before
// the result is constructed.
struct EntryOps {
  // Runs and destroys the closure and leaves the result in the storage. Returns the outcome and lets no exception
  // escape.
  Outcome (*run)(void* storage, std::exception_ptr& error) noexcept;
  void (*drop_closure)(void* storage) noexcept;  // for a coroutine that never starts
  void (*drop_result)(void* storage) noexcept;   // null for a trivially destructible result
  std::size_t size;
  std::size_t alignment;
};

// The outcome for the exception being handled: cancellation or error.
TRUEASYNC_EXPORT Outcome classify_current_exception(std::exception_ptr& error) noexcept;

template <class F>
struct Entry {
  using Result = std::invoke_result_t<F&>;
  static constexpr bool kIsVoid = std::is_void_v<Result>;
  static_assert(!std::is_reference_v<Result>, "a coroutine returns a value; wrap a reference in std::ref");
  using Stored = std::conditional_t<kIsVoid, char, Result>;

  static Outcome run(void* storage, std::exception_ptr& error) noexcept {
    F* closure = std::launder(static_cast<F*>(storage));
    try {
      if constexpr (kIsVoid) {
        Dropper dropper{closure};
        (*closure)();
      } else {
        std::optional<Result> result;
        {
          Dropper dropper{closure};
          result.emplace((*closure)());
        }
        ::new (storage) Result(std::move(*result));
      }
      return Outcome::value;
    } catch (...) {
      return classify_current_exception(error);
    }
  }

  static void drop_closure(void* storage) noexcept { std::launder(static_cast<F*>(storage))->~F(); }
  static void drop_result(void* storage) noexcept { std::launder(static_cast<Stored*>(storage))->~Stored(); }

  static constexpr EntryOps kOps = {&run, &drop_closure,
                                    std::is_trivially_destructible_v<Stored> ? nullptr : &drop_result,
                                    sizeof(F) > sizeof(Stored) ? sizeof(F) : sizeof(Stored),
                                    alignof(F) > alignof(Stored) ? alignof(F) : alignof(Stored)};

 private:
  struct Dropper {
    F* closure;
    ~Dropper() { closure->~F(); }
  };
};

}  // namespace trueasync::detail
