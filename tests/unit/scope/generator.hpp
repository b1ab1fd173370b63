// Generator: a single-pass input range that produces its elements on demand. `next` returns an optional, empty at the
// end.
#pragma once

#include <iterator>
#include <optional>
#include <ranges>
#include <utility>

namespace trueasync::test {

template <class F>
class Generator {
 public:
  using Value = typename std::invoke_result_t<F&>::value_type;

  explicit Generator(F next) : next_(std::move(next)) {}

  class Iterator {
   public:
    using value_type = Value;
    using difference_type = std::ptrdiff_t;
    explicit Iterator(Generator& owner) : owner_(&owner) {}
    Value operator*() const { return std::move(*owner_->value_); }
    Iterator& operator++() {
      owner_->value_ = owner_->next_();
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const Iterator& at, std::default_sentinel_t) { return at.owner_->is_done(); }

   private:
    Generator* owner_;
  };

  Iterator begin() {
    value_ = next_();
    return Iterator(*this);
  }
  std::default_sentinel_t end() const noexcept { return {}; }
  bool is_done() const noexcept { return !value_; }

 private:
  F next_;
  std::optional<Value> value_;
};

}  // namespace trueasync::test
