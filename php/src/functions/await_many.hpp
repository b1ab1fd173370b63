// AwaitMany: waiting for several of an iterable at once, on the library's collector.
//
// Lives on the heap, because PHP code runs while it exists: the iterable's. await_many() below makes and destroys it; what
// a fatal error left behind in other coroutines goes with the request.
// Threads: the engine's. Errors: false means that EG(exception) is set.
#pragma once

#include <deque>

#include "support/object.hpp"
#include "trueasync/detail/await_collector.hpp"

namespace trueasync::php {

class AwaitMany final : public detail::ListHook {
 public:
  enum class Order : std::uint8_t { input, completion };
  enum class Failed : std::uint8_t { omit, null };  // in the results

  explicit AwaitMany(detail::AwaitGoal goal) noexcept;
  ~AwaitMany() { unlink(); }
  AwaitMany(const AwaitMany&) = delete;
  AwaitMany& operator=(const AwaitMany&) = delete;

  // Subscribes to what the iterable yields, until no more are needed (AW-01).
  bool add_all(zval* iterable) noexcept;
  bool wait(AwaitableSource* token, SourceLocation location) noexcept;

  // After the wait. Each error that is handed out counts as dealt with.
  std::size_t settled() const noexcept { return collector_.settled(); }
  // Throws the first failure; the others are asked to end if that is wanted. False: there was one.
  enum class Others : std::uint8_t { keep, cancel };
  bool check_no_failure(Others others) noexcept;
  void collect(zval* results, zval* errors, Order order, Failed failed) noexcept;
  // The first success, null if there is none.
  void take_first(zval* result) noexcept;

 private:
  struct Slot final : detail::AwaitSlot {
    Slot(Value&& given_key, Value&& given_item) noexcept
        : key(std::move(given_key)), item(std::move(given_item)), source(*awaitable_source(item.get())) {}
    bool is_failure() const noexcept override { return source.has_failed(); }
    void cancel() noexcept override { source.cancel_source(); }
    zend_object* take(zval* result) noexcept { return source.take({0, error}, result); }

    Value key;
    Value item;
    AwaitableSource& source;
  };

  bool add(Value&& key, zval* item) noexcept;
  bool add_of_array(HashTable* array) noexcept;
  bool add_of_iterator(zval* object) noexcept;
  bool goal_reached() const noexcept { return goal_.successes == 0 || collector_.is_met(); }
  template <class F>
  void each_settled(Order order, F&& visit);

  detail::AwaitGoal goal_;
  std::deque<Slot> slots_;
  detail::AwaitCollector collector_;  // goes before them
};

// Subscribes to all, waits, and hands over what has come. Null: EG(exception) is set. delete it afterwards.
AwaitMany* await_many(detail::AwaitGoal goal, zval* iterable, zval* token);
// At the end of a request.
void drop_abandoned_awaits() noexcept;

}  // namespace trueasync::php
