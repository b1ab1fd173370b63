// Receiving in a for loop: for anything with next(), which returns nothing when it is over.
#pragma once

#include <cstddef>
#include <iterator>
#include <optional>

#include "trueasync/place.hpp"

namespace trueasync::detail {

template <class C>
class ChannelIterator {
 public:
  using iterator_category = std::input_iterator_tag;
  using value_type = typename C::Value;
  using difference_type = std::ptrdiff_t;
  using pointer = value_type*;
  using reference = value_type&;

  ChannelIterator(const C& channel, Place place) : channel_(&channel), place_(place) { ++*this; }
  value_type& operator*() { return *value_; }
  value_type* operator->() { return &*value_; }
  ChannelIterator& operator++() {
    value_ = channel_->next(place_);
    return *this;
  }
  void operator++(int) { ++*this; }
  friend bool operator==(const ChannelIterator& at, std::default_sentinel_t) noexcept { return !at.value_; }

 private:
  const C* channel_;
  std::optional<value_type> value_;
  Place place_;
};

}  // namespace trueasync::detail
