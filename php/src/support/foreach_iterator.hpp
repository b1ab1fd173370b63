// ForeachIterator: foreach over an object of an Async class, and getIterator(). T needs
//     bool iterate(std::size_t& position, Value& key, Value& value) noexcept;
// It stores the next element, advances the position and may suspend. Returns false if there are no more elements, or
// EG(exception) is set. An iteration starts at position 0.
//
// Ownership: a reference to the object.
// Thread safety: the engine's thread only.
#pragma once

#include <utility>

#include "engine/gc.hpp"
#include "support/object.hpp"

namespace trueasync::php {

template <class T>
class ForeachIterator {
 public:
  // Call after Class<T>::setup.
  static void setup(zend_class_entry* entry) noexcept { entry->get_iterator = &create; }

 private:
  struct State {
    zend_object_iterator engine;
    std::size_t position;
    bool has_element;
    Value key;
    Value value;
  };
  static State& of(zend_object_iterator* iterator) noexcept { return *reinterpret_cast<State*>(iterator); }

  static zend_object_iterator* create(zend_class_entry*, zval* object, int by_reference) {
    if (by_reference) {
      zend_throw_error(nullptr, "An iterator cannot be used with foreach by reference");
      return nullptr;
    }
    auto* state = ::new (emalloc(sizeof(State))) State{};
    zend_iterator_init(&state->engine);
    ZVAL_OBJ_COPY(&state->engine.data, Z_OBJ_P(object));
    state->engine.funcs = &kFunctions;
    return &state->engine;
  }
  static void destroy(zend_object_iterator* iterator) {
    State& state = of(iterator);
    state.key.reset();
    state.value.reset();
    zval_ptr_dtor(&iterator->data);
  }
  // int in 8.2, zend_result since 8.3
  using ValidResult = decltype(std::declval<zend_object_iterator_funcs>().valid(nullptr));
  static ValidResult valid(zend_object_iterator* iterator) { return of(iterator).has_element ? SUCCESS : FAILURE; }
  static zval* current(zend_object_iterator* iterator) { return of(iterator).value.get(); }
  static void current_key(zend_object_iterator* iterator, zval* key) { of(iterator).key.copy_to(key); }
  static void forward(zend_object_iterator* iterator) {
    State& state = of(iterator);
    state.key.reset();
    state.value.reset();
    state.has_element =
        !EG(exception) && Class<T>::self(&iterator->data).iterate(state.position, state.key, state.value);
  }
  static void rewind(zend_object_iterator* iterator) {
    // Until rewind() returns, only a C local of the engine refers to the iterator.
    const engine::TrackedIterator tracked(*iterator);
    of(iterator).position = 0;
    forward(iterator);
  }
  static HashTable* get_gc(zend_object_iterator* iterator, zval** table, int* count) {
    State& state = of(iterator);
    GcBuffer buffer;
    buffer.add(&iterator->data);
    buffer.add(state.key);
    buffer.add(state.value);
    zend_get_gc_buffer_use(buffer.raw(), table, count);
    return nullptr;
  }

  static constexpr zend_object_iterator_funcs kFunctions{&destroy, &valid,  &current, &current_key,
                                                         &forward, &rewind, nullptr,  &get_gc};
};

}  // namespace trueasync::php
