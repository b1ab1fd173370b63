#include "functions/await_many.hpp"

#include <algorithm>
#include <vector>

#include "channel.hpp"
#include "engine/runtime.hpp"
#include "support/error.hpp"
#include "support/source_location.hpp"

namespace trueasync::php {

namespace {

TRUEASYNC_PHP_LOCAL detail::IntrusiveList<AwaitMany>* live_awaits = nullptr;  // null: none in this request

}  // namespace

AwaitMany::AwaitMany(detail::AwaitGoal goal) noexcept : goal_(goal), collector_(goal, PendingAction::keep) {
  if (!live_awaits) live_awaits = new detail::IntrusiveList<AwaitMany>;
  live_awaits->push_back(*this);
}

void delete_abandoned_awaits() noexcept {
  if (!live_awaits) return;
  while (AwaitMany* abandoned = live_awaits->front()) delete abandoned;
  delete live_awaits;
  live_awaits = nullptr;
}

// A fatal error in the iterable or in another coroutine during the wait must not leave subscriptions behind.
AwaitMany* await_many(detail::AwaitGoal goal, zval* iterable, zval* token) {
  if (!engine::ensure_started()) return nullptr;
  const SourceLocation location = executing_location();
  AwaitMany* const many = new AwaitMany(goal);
  volatile bool succeeded = false;
  zend_try {
    succeeded = many->add_all(iterable) && many->wait(token ? awaitable_source(token) : nullptr, location);
    if (engine::is_bailing) engine::bail_out();
  }
  zend_catch {
    delete many;
    zend_bailout();
  }
  zend_end_try();
  if (succeeded) return many;
  delete many;
  return nullptr;
}

bool AwaitMany::add_all(zval* iterable) noexcept {
  if (goal_reached()) return true;
  return Z_TYPE_P(iterable) == IS_ARRAY ? add_array(Z_ARRVAL_P(iterable)) : add_iterator(iterable);
}

bool AwaitMany::add_array(HashTable* array) noexcept {
  zend_ulong index;
  zend_string* name;
  zval* item;
  ZEND_HASH_FOREACH_KEY_VAL(array, index, name, item) {
    Value key;
    if (name) {
      ZVAL_STR_COPY(key.get(), name);
    } else {
      ZVAL_LONG(key.get(), static_cast<zend_long>(index));
    }
    ZVAL_DEREF(item);
    if (!add(std::move(key), item)) return false;
    if (goal_reached()) break;
  }
  ZEND_HASH_FOREACH_END();
  return true;
}

// An iterator may create its elements on demand. Each element is subscribed before the iterator advances.
bool AwaitMany::add_iterator(zval* object) noexcept {
  zend_class_entry* entry = Z_OBJCE_P(object);
  zend_object_iterator* iterator = entry->get_iterator(entry, object, 0);
  if (!iterator || EG(exception)) {
    if (iterator) zend_iterator_dtor(iterator);
    return false;
  }
  iterator->index = 0;
  if (iterator->funcs->rewind) iterator->funcs->rewind(iterator);
  while (!EG(exception) && !goal_reached() && iterator->funcs->valid(iterator) == SUCCESS && !EG(exception)) {
    zval* item = iterator->funcs->get_current_data(iterator);
    if (!item || EG(exception)) break;
    ZVAL_DEREF(item);
    Value key;
    if (iterator->funcs->get_current_key) {
      iterator->funcs->get_current_key(iterator, key.get());
    } else {
      ZVAL_LONG(key.get(), static_cast<zend_long>(iterator->index));
    }
    if (EG(exception) || !add(std::move(key), item)) break;
    if (goal_reached()) break;
    ++iterator->index;
    iterator->funcs->move_forward(iterator);
  }
  zend_iterator_dtor(iterator);
  return !EG(exception);
}

bool AwaitMany::add(Value&& key, zval* item) noexcept {
  Value awaited(item);
  // Awaiting a channel means receiving its next value.
  if (ChannelObject* channel = Class<ChannelObject>::from(item)) {
    zend_object* future = channel->receive_async(executing_location());
    if (!future) return false;
    awaited = Value::adopt(future);
  }
  AwaitableSource* source = awaitable_source(awaited.get());
  if (!source) {
    zend_type_error("Each awaited element must be of type Async\\Awaitable, %s given", zend_zval_type_name(item));
    return false;
  }
  Event* event = source->event();
  if (!event) return false;
  catch_to_php([&] {
    slots_.emplace_back(std::move(key), std::move(awaited));
    collector_.add(slots_.back(), *event);
  });
  return !EG(exception);
}

bool AwaitMany::wait(AwaitableSource* token, SourceLocation location) noexcept {
  Event* event = nullptr;
  if (token && !(event = token->event())) return false;
  catch_to_php([&] { collector_.wait({{}, event}, location); });
  return !EG(exception);
}

bool AwaitMany::check_no_failure(Pending pending) noexcept {
  auto* failed = static_cast<Slot*>(collector_.first_failure());
  if (!failed) return true;
  if (pending == Pending::cancel) {
    for (Slot& slot : slots_) {
      if (!slot.is_settled()) slot.cancel();
    }
  }
  zval unused;
  ZVAL_UNDEF(&unused);
  if (zend_object* error = failed->take(&unused)) throw_exception(error);
  zval_ptr_dtor(&unused);
  return false;
}

template <class F>
void AwaitMany::for_each_settled(Order order, F&& visit) {
  if (order == Order::input) {
    for (Slot& slot : slots_) {
      if (slot.is_settled()) visit(slot);
    }
    return;
  }
  std::vector<Slot*> sorted(collector_.settled());
  for (Slot& slot : slots_) {
    if (slot.is_settled()) sorted[slot.settle_order - 1] = &slot;
  }
  for (Slot* slot : sorted) visit(*slot);
}

void AwaitMany::collect(zval* results, zval* errors, Order order, Failed failed) noexcept {
  catch_to_php([&] {
    for_each_settled(order, [&](Slot& slot) {
      zval result;
      ZVAL_NULL(&result);
      zend_object* error = slot.take(&result);
      if (error && errors) {
        zval thrown;
        ZVAL_OBJ_COPY(&thrown, error);
        array_set_zval_key(Z_ARRVAL_P(errors), slot.key.get(), &thrown);
        zval_ptr_dtor(&thrown);
      }
      if (!error || failed == Failed::null) array_set_zval_key(Z_ARRVAL_P(results), slot.key.get(), &result);
      if (error) {
        OBJ_RELEASE(error);
      } else {
        zval_ptr_dtor(&result);
      }
    });
  });
}

void AwaitMany::take_first(zval* result) noexcept {
  Slot* first = nullptr;
  for (Slot& slot : slots_) {
    if (slot.is_settled() && !slot.failed && (!first || slot.settle_order < first->settle_order)) first = &slot;
  }
  ZVAL_NULL(result);
  if (!first) return;
  if (zend_object* error = first->take(result)) OBJ_RELEASE(error);
}

}  // namespace trueasync::php
