// Class<T>: a PHP class whose objects carry a C++ struct T in front of the zend_object.
//
// How to add a class (coroutine.cpp is the pattern):
//   1. php/stubs/<class>.stub.php, from which php/generated/<class>_arginfo.h is made.
//   2. struct T, default constructible, no exception out of constructor and destructor. What it may have:
//        void report(GcBuffer& buffer) noexcept;  every zval and object it holds, for the collector
//        void on_destruct() noexcept;             before it is freed; PHP code may run here
//        static constexpr bool kConstructible = false;   `new` throws Error; objects come from Class<T>::make()
//      An Awaitable's T derives publicly from AwaitableSource (support/awaitable.hpp): await works on it then.
//   3. #include "generated/<class>_arginfo.h" in that one .cpp, and
//        void register_<class>() { Class<T>::setup(register_class_Async_<Class>(<interfaces>)); }
//      called from module.cpp, interfaces and parents first.
//   4. Methods: ZEND_METHOD(Async_<Class>, name) { … guarded([&] { … }); }
//        this:              auto& self = Class<T>::self(ZEND_THIS);
//        C++ errors:        guarded() turns them into PHP exceptions; nothing may leave a method as a C++ exception
//        a wait:            support/wait.hpp; false means EG(exception) is set: return at once
//        user callables:    support/call.hpp
//      No local with a destructor that matters may be alive while PHP code runs: a fatal error long-jumps over it.
//   5. Anything that starts the scheduler calls engine::ensure_started() first.
//
// Threads: the engine's.
#pragma once

#include <cstring>
#include <new>
#include <type_traits>

#include "support/awaitable.hpp"
#include "support/value.hpp"

namespace trueasync::php {

class GcBuffer {
 public:
  void add(const Value& value) noexcept { zend_get_gc_buffer_add_zval(buffer_, const_cast<zval*>(value.get())); }
  void add(zval* value) noexcept { zend_get_gc_buffer_add_zval(buffer_, value); }
  void add(zend_object* object) noexcept {
    if (object) zend_get_gc_buffer_add_obj(buffer_, object);
  }
  zend_get_gc_buffer* raw() noexcept { return buffer_; }

 private:
  friend HashTable* report_object(zend_object* object, zval** table, int* count);
  zend_get_gc_buffer* buffer_ = zend_get_gc_buffer_create();
};

// The engine's handlers, and what we want to know of an object without knowing its class.
struct Handlers {
  zend_object_handlers engine;
  void (*destroy)(zend_object* object) noexcept;
  void (*report)(zend_object* object, GcBuffer& buffer) noexcept;  // may be null
  void (*on_destruct)(zend_object* object) noexcept;               // may be null
  AwaitableSource* (*source)(zend_object* object) noexcept;        // null: not Awaitable
  bool is_completable;
};

// One and the same for all of our classes, so that it tells our objects from others.
void free_object(zend_object* object);
HashTable* report_object(zend_object* object, zval** table, int* count);
void destruct_object(zend_object* object);
zend_function* refuse_constructor(zend_object* object);
void setup_handlers(zend_class_entry* entry, Handlers& handlers, std::size_t offset, bool is_constructible);

inline const Handlers* our_handlers(const zend_object* object) noexcept {
  return object->handlers->free_obj == &free_object ? reinterpret_cast<const Handlers*>(object->handlers) : nullptr;
}
// Null for what is no Awaitable (no Completable).
inline AwaitableSource* awaitable_source(const zval* value) noexcept {
  if (Z_TYPE_P(value) != IS_OBJECT) return nullptr;
  const Handlers* handlers = our_handlers(Z_OBJ_P(value));
  return handlers && handlers->source ? handlers->source(Z_OBJ_P(value)) : nullptr;
}
inline AwaitableSource* completable_source(const zval* value) noexcept {
  if (Z_TYPE_P(value) != IS_OBJECT) return nullptr;
  const Handlers* handlers = our_handlers(Z_OBJ_P(value));
  return handlers && handlers->is_completable ? handlers->source(Z_OBJ_P(value)) : nullptr;
}

template <class T>
class Class {
 public:
  static inline zend_class_entry* entry = nullptr;

  static zend_class_entry* setup(zend_class_entry* registered) {
    entry = registered;
    entry->create_object = &create;
    handlers_.destroy = [](zend_object* object) noexcept { of(object).~T(); };
    if constexpr (requires(T & t, GcBuffer & b) { t.report(b); }) {
      handlers_.report = [](zend_object* object, GcBuffer& buffer) noexcept { of(object).report(buffer); };
    }
    if constexpr (requires(T & t) { t.on_destruct(); }) {
      handlers_.on_destruct = [](zend_object* object) noexcept { of(object).on_destruct(); };
    }
    if constexpr (std::is_base_of_v<AwaitableSource, T>) {
      handlers_.source = [](zend_object* object) noexcept -> AwaitableSource* { return &of(object); };
    }
    setup_handlers(entry, handlers_, kOffset, is_constructible());
    return entry;
  }

  static T& of(zend_object* object) noexcept {
    return *std::launder(reinterpret_cast<T*>(reinterpret_cast<char*>(object) - kOffset));
  }
  static T& self(zval* value) noexcept { return of(Z_OBJ_P(value)); }
  static zend_object* object_of(T& value) noexcept {
    return reinterpret_cast<zend_object*>(reinterpret_cast<char*>(&value) + kOffset);
  }
  // Null for objects of other classes.
  static T* from(const zval* value) noexcept {
    if (Z_TYPE_P(value) != IS_OBJECT || Z_OBJCE_P(value) != entry) return nullptr;
    return &of(Z_OBJ_P(value));
  }
  // A new object without its constructor; the caller has the reference.
  static T& make() { return of(create(entry)); }

 private:
  static constexpr std::size_t kOffset = (sizeof(T) + 7) / 8 * 8;
  static inline Handlers handlers_{};

  static constexpr bool is_constructible() {
    if constexpr (requires { T::kConstructible; }) {
      return T::kConstructible;
    } else {
      return true;
    }
  }
  static zend_object* create(zend_class_entry* of_class) {
    auto* memory = static_cast<char*>(emalloc(kOffset + sizeof(zend_object) + zend_object_properties_size(of_class)));
    ::new (memory) T();
    auto* object = reinterpret_cast<zend_object*>(memory + kOffset);
    zend_object_std_init(object, of_class);
    if (of_class->default_properties_count) object_properties_init(object, of_class);
    object->handlers = &handlers_.engine;
    return object;
  }
};

}  // namespace trueasync::php
