// ChannelIterator: receives in a range-based for loop, for any type with next(), which returns std::nullopt at the end.
#pragma once

#include <cstddef>
#include <iterator>
#include <optional>

#include "trueasync/source_location.hpp"

namespace trueasync::detail {

template <class C>
class ChannelIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = typename C::Value;
  using difference_type = std::ptrdiff_t;
  using pointer = value_type*;
  using reference = value_type&;

  ChannelIterator(const C& channel, SourceLocation location) : channel_(&channel), location_(location) { ++*this; }
  value_type& operator*() { return *value_; }
  value_type* operator->() { return &*value_; }
  ChannelIterator& operator++() {
    value_ = channel_->next({}, location_);
    return *this;
  }
  void operator++(int) { ++*this; }
  friend bool operator==(const ChannelIterator& iterator, std::default_sentinel_t) noexcept { return !iterator.value_; }

 private:
  const C* channel_;
  std::optional<value_type> value_;
  SourceLocation location_;
};

}  // namespace trueasync::detail
