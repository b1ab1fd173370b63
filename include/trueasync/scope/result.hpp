// Result: a value or an error, returned by functions that do not throw.
//
// Ownership: the value, or a share of the error.
// Thread safety: a plain value.
// Errors: value() throws the stored error.
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <stdexcept>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

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

// KeyedResults: results by key, in the order of delivery. Elements without a key are keyed by their position. Lookup is
// linear: meant for iteration or for dozens of results.
//
// Ownership: keys and values.
// Thread safety: a plain value.
// Errors: at() throws std::out_of_range.
template <class Key, class T>
class KeyedResults {
 public:
  struct Entry {
    Key key;
    T value;
  };

  void add(Key key, T value) { entries_.push_back(Entry{std::move(key), std::move(value)}); }
  void reserve(std::size_t count) { entries_.reserve(count); }

  bool empty() const noexcept { return entries_.empty(); }
  std::size_t size() const noexcept { return entries_.size(); }
  auto begin() noexcept { return entries_.begin(); }
  auto end() noexcept { return entries_.end(); }
  auto begin() const noexcept { return entries_.begin(); }
  auto end() const noexcept { return entries_.end(); }

  const T* find(const Key& key) const {
    const auto found = std::find_if(begin(), end(), [&](const Entry& entry) { return entry.key == key; });
    return found == end() ? nullptr : &found->value;
  }
  T* find(const Key& key) { return const_cast<T*>(std::as_const(*this).find(key)); }
  bool contains(const Key& key) const { return find(key) != nullptr; }
  T& at(const Key& key) { return const_cast<T&>(std::as_const(*this).at(key)); }
  const T& at(const Key& key) const {
    const T* found = find(key);
    if (!found) throw std::out_of_range("KeyedResults::at: no result with this key");
    return *found;
  }

 private:
  std::vector<Entry> entries_;
};

}  // namespace trueasync
