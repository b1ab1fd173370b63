// KeyedResults: results by key, in the order of delivery. Elements without a key are keyed by their position. Lookup is
// linear: meant for iteration or for dozens of results.
//
// Ownership: keys and values.
// Thread safety: a plain value.
// Errors: at() throws std::out_of_range.
#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <utility>
#include <vector>

namespace trueasync {

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
