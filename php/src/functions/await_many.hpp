// AwaitMany: waits for several elements of an iterable concurrently, on the library's AwaitCollector.
//
// Ownership: the elements and their keys.
// Lifetime: on the heap, because a bailout skips destructors of stack objects while the iterable's PHP code runs.
// Created by await_many(); the caller deletes it. Objects that a fatal error leaves behind are deleted at the end of
// the request.
// Thread safety: the engine's thread only.
// Errors: false means that EG(exception) is set.
#pragma once

#include <deque>

#include "support/object.hpp"
#include "trueasync/detail/await_collector.hpp"

namespace trueasync::php {

class AwaitMany final : public detail::ListHook {
 public:
  enum class Order : std::uint8_t { input, completion };
  enum class Failed : std::uint8_t { omit, null };     // how a failed element appears in the results
  enum class Pending : std::uint8_t { keep, cancel };  // what happens to pending elements after a failure

  explicit AwaitMany(detail::AwaitGoal goal) noexcept;
  ~AwaitMany() { unlink(); }
  AwaitMany(const AwaitMany&) = delete;
  AwaitMany& operator=(const AwaitMany&) = delete;

  // Subscribes to the elements of the iterable until the goal is reached.
  bool add_all(zval* iterable) noexcept;
  bool wait(AwaitableSource* token, SourceLocation location) noexcept;

  // The following are called after the wait. They mark each error that they return as observed.
  std::size_t settled() const noexcept { return collector_.settled(); }
  // Throws the first failure. Returns false if there was one.
  bool check_no_failure(Pending pending) noexcept;
  // Adds results and errors by key to the arrays; `errors` may be null.
  void collect(zval* results, zval* errors, Order order, Failed failed) noexcept;
  // Stores the first success, or null if there is none.
  void take_first(zval* result) noexcept;

 private:
  struct Slot final : detail::AwaitSlot {
    Slot(Value&& element_key, Value&& element) noexcept
        : key(std::move(element_key)), item(std::move(element)), source(*awaitable_source(item.get())) {}
    bool is_failure() const noexcept override { return source.has_failed(); }
    void cancel() noexcept override { source.cancel_source(); }
    zend_object* take(zval* result) noexcept { return source.take({0, error}, result); }

    Value key;
    Value item;
    AwaitableSource& source;
  };

  bool add(Value&& key, zval* item) noexcept;
  bool add_array(HashTable* array) noexcept;
  bool add_iterator(zval* object) noexcept;
  bool goal_reached() const noexcept { return goal_.successes == 0 || collector_.is_met(); }
  template <class F>
  void for_each_settled(Order order, F&& visit);

  detail::AwaitGoal goal_;
  std::deque<Slot> slots_;
  detail::AwaitCollector collector_;  // declared after the slots: its destructor unsubscribes them
};

// Subscribes to the elements and waits. The caller deletes the returned object. Null: EG(exception) is set.
AwaitMany* await_many(detail::AwaitGoal goal, zval* iterable, zval* token);
// Called at the end of a request: deletes the objects that a fatal error left behind.
void delete_abandoned_awaits() noexcept;

}  // namespace trueasync::php
