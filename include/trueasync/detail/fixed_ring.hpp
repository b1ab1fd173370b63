// FixedRing: a FIFO queue of fixed capacity, allocated once. The caller checks that push() finds space and pop() a
// value.
#pragma once

#include <cstddef>
#include <memory>
#include <new>
#include <utility>

namespace trueasync::detail {

template <class T>
class FixedRing {
 public:
  explicit FixedRing(std::size_t capacity) : capacity_(capacity) {
    if (capacity != 0) cells_ = std::allocator<T>().allocate(capacity);
  }
  FixedRing(const FixedRing&) = delete;
  FixedRing& operator=(const FixedRing&) = delete;
  ~FixedRing() {
    while (count_ != 0) pop();
    if (cells_) std::allocator<T>().deallocate(cells_, capacity_);
  }

  std::size_t size() const noexcept { return count_; }
  void push(T&& value) noexcept {
    ::new (static_cast<void*>(cells_ + tail_)) T(std::move(value));
    tail_ = after(tail_);
    ++count_;
  }
  T pop() noexcept {
    T* cell = cells_ + head_;
    head_ = after(head_);
    --count_;
    T value(std::move(*cell));
    cell->~T();
    return value;
  }
  template <class F>
  void for_each(F&& visit) const {
    for (std::size_t i = 0, cell = head_; i < count_; ++i, cell = after(cell)) {
      visit(static_cast<const T&>(cells_[cell]));
    }
  }

 private:
  std::size_t after(std::size_t index) const noexcept { return index + 1 == capacity_ ? 0 : index + 1; }

  T* cells_ = nullptr;
  std::size_t capacity_;
  std::size_t head_ = 0;
  std::size_t tail_ = 0;
  std::size_t count_ = 0;
};

}  // namespace trueasync::detail
