// IntrusiveList: a doubly linked list whose links are in the elements: linking does not allocate, unlinking is O(1). An
// element is in at most one list per hook.
//
// Ownership: none; the owner of the list checks that it is empty at its end.
#pragma once

namespace trueasync::detail {

struct ListHook {
  ListHook* prev = nullptr;
  ListHook* next = nullptr;

  bool is_linked() const noexcept { return next != nullptr; }

  void unlink() noexcept {
    prev->next = next;
    next->prev = prev;
    prev = next = nullptr;
  }
};

// IntrusiveList: see the head of this file. T derives from ListHook.
template <class T>
class IntrusiveList {
 public:
  IntrusiveList() noexcept { head_.prev = head_.next = &head_; }
  IntrusiveList(const IntrusiveList&) = delete;
  IntrusiveList& operator=(const IntrusiveList&) = delete;

  bool empty() const noexcept { return head_.next == &head_; }
  T* front() const noexcept { return empty() ? nullptr : static_cast<T*>(head_.next); }
  T* next_of(const T& element) const noexcept {
    return element.ListHook::next == &head_ ? nullptr : static_cast<T*>(element.ListHook::next);
  }

  void push_back(T& element) noexcept {
    ListHook& hook = element;
    hook.prev = head_.prev;
    hook.next = &head_;
    head_.prev->next = &hook;
    head_.prev = &hook;
  }

  T* pop_front() noexcept {
    T* element = front();
    if (element) element->ListHook::unlink();
    return element;
  }

  // Moves all elements of `other` to the end of this list, in order.
  void splice_back(IntrusiveList& other) noexcept {
    if (other.empty()) return;
    ListHook* first = other.head_.next;
    ListHook* last = other.head_.prev;
    other.head_.prev = other.head_.next = &other.head_;
    first->prev = head_.prev;
    head_.prev->next = first;
    last->next = &head_;
    head_.prev = last;
  }

 private:
  ListHook head_;
};

}  // namespace trueasync::detail
