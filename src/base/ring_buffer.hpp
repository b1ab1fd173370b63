// RingBuffer: a growing ring of trivially copyable values with O(1) push and pop at both ends. It grows by doubling;
// only shrink() releases memory.
//
// Thread safety: one thread.
// Errors: a push that grows throws std::bad_alloc and has no effect then.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>

namespace trueasync::detail {

template <class T>
class RingBuffer {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  explicit RingBuffer(std::size_t capacity = 64)
      : slots_(std::make_unique_for_overwrite<T[]>(capacity)), mask_(capacity - 1) {}

  bool empty() const noexcept { return head_ == tail_; }
  std::size_t size() const noexcept { return tail_ - head_; }
  std::size_t capacity() const noexcept { return mask_ + 1; }

  void push_back(T value) {
    if (__builtin_expect(size() > mask_, 0)) resize(capacity() * 2);
    slots_[tail_++ & mask_] = value;
  }
  void push_front(T value) {
    if (__builtin_expect(size() > mask_, 0)) resize(capacity() * 2);
    slots_[--head_ & mask_] = value;
  }
  T pop_front() noexcept { return slots_[head_++ & mask_]; }
  T pop_back() noexcept { return slots_[--tail_ & mask_]; }

  // pop_front() and push_back() in one step; never grows.
  T rotate(T value) noexcept {
    T first = slots_[head_++ & mask_];
    slots_[tail_++ & mask_] = value;
    return first;
  }

  // The i-th element from the head; `i` may exceed the size: the result is then a stale value.
  T peek(std::size_t i) const noexcept { return slots_[(head_ + i) & mask_]; }

  // Removes and returns the i-th element, keeping the order of the rest. O(n); used by the seeded orders of tests.
  T take(std::size_t i) noexcept {
    T value = peek(i);
    for (; i > 0; --i) slots_[(head_ + i) & mask_] = slots_[(head_ + i - 1) & mask_];
    ++head_;
    return value;
  }

  // Ensures a capacity of `count` elements, so that pushing them cannot fail.
  void reserve(std::size_t count) {
    std::size_t wanted = capacity();
    while (wanted < count) wanted *= 2;
    if (wanted > capacity()) resize(wanted);
  }

  // Releases memory if at most a quarter of the capacity is needed; keeps capacity for `count` elements.
  void shrink(std::size_t count) {
    std::size_t wanted = 64;
    while (wanted < count || wanted < size()) wanted *= 2;
    if (wanted * 4 <= capacity()) resize(wanted);
  }

 private:
  void resize(std::size_t capacity) {
    auto slots = std::make_unique_for_overwrite<T[]>(capacity);  // unused memory stays untouched, so it is not resident
    const std::size_t count = size();
    for (std::size_t i = 0; i < count; ++i) slots[i] = peek(i);
    slots_ = std::move(slots);
    mask_ = capacity - 1;
    head_ = 0;
    tail_ = count;
  }

  std::unique_ptr<T[]> slots_;
  std::size_t mask_;
  std::uint64_t head_ = 0;
  std::uint64_t tail_ = 0;
};

}  // namespace trueasync::detail
