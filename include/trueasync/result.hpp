// Result: a value or an error, returned by functions that do not throw.
//
// Ownership: the value, or a share of the error.
// Thread safety: a plain value.
// Errors: value() throws the stored error.
#pragma once

#include <exception>
#include <type_traits>
#include <utility>
#include <variant>

namespace trueasync {

namespace detail {

// Stored: a storable type for a result of type T: std::monostate for void.
template <class T>
using Stored = std::conditional_t<std::is_void_v<T>, std::monostate, T>;

}  // namespace detail

template <class T>
class Result {
 public:
  Result(detail::Stored<T> value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(std::exception_ptr error) noexcept : state_(std::in_place_index<1>, std::move(error)) {}

  bool has_value() const noexcept { return state_.index() == 0; }
  explicit operator bool() const noexcept { return has_value(); }
  // Null if there is a value.
  std::exception_ptr error() const noexcept { return has_value() ? nullptr : *std::get_if<1>(&state_); }

  detail::Stored<T>& value() & { return check(), *std::get_if<0>(&state_); }
  const detail::Stored<T>& value() const& { return check(), *std::get_if<0>(&state_); }
  detail::Stored<T>&& value() && { return check(), std::move(*std::get_if<0>(&state_)); }

 private:
  void check() const {
    if (!has_value()) std::rethrow_exception(*std::get_if<1>(&state_));
  }

  std::variant<detail::Stored<T>, std::exception_ptr> state_;
};

}  // namespace trueasync
