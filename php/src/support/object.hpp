// Class<T>: a PHP class whose objects carry a C++ struct T in front of the zend_object.
//
// How to add a class (see coroutine.cpp):
//   1. Write php/stubs/<class>.stub.php; php/tools/generate.php generates php/generated/<class>_arginfo.h from it.
//   2. Write struct T, default constructible; its constructor and destructor must not throw. Optional members:
//        void report(GcBuffer& buffer) noexcept;  reports every zval and object it holds to the collector
//        void on_destruct() noexcept;             runs before the object is freed; may run PHP code
//        static constexpr bool kConstructible = false;   `new` throws Error; objects come from Class<T>::make()
//      For an Awaitable, T derives publicly from AwaitableSource (support/awaitable.hpp).
//   3. Include "generated/<class>_arginfo.h" in that .cpp only, and define
//        void register_<class>() { Class<T>::setup(register_class_Async_<Class>(<interfaces>)); }
//      module.cpp calls it, after its interfaces and parents.
//   4. Methods: ZEND_METHOD(Async_<Class>, name) { … catch_to_php([&] { … }); }
//        this:              auto& self = Class<T>::self(ZEND_THIS);
//        C++ errors:        catch_to_php() converts them; no C++ exception may leave a method
//        a wait:            support/wait.hpp; false means EG(exception) is set: return immediately
//        user callables:    support/stored_call.hpp
//      A bailout skips destructors: no local that needs one may exist while PHP code runs.
//   5. Code that uses the scheduler calls engine::ensure_started() first.
//
// Thread safety: the engine's thread only.
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

// The engine's handlers, extended by operations on an object of unknown class.
struct Handlers {
  zend_object_handlers engine;
  void (*destroy)(zend_object* object) noexcept;
  void (*report)(zend_object* object, GcBuffer& buffer) noexcept;  // may be null
  void (*on_destruct)(zend_object* object) noexcept;               // may be null
  AwaitableSource* (*source)(zend_object* object) noexcept;        // null: not Awaitable
  bool is_completable;
};

// Shared by all Async classes: async_handlers() recognizes their objects by this handler.
void free_object(zend_object* object);
HashTable* report_object(zend_object* object, zval** table, int* count);
void destruct_object(zend_object* object);
zend_function* reject_constructor(zend_object* object);
void setup_handlers(zend_class_entry* entry, Handlers& handlers, std::size_t offset, bool is_constructible);

inline const Handlers* async_handlers(const zend_object* object) noexcept {
  return object->handlers->free_obj == &free_object ? reinterpret_cast<const Handlers*>(object->handlers) : nullptr;
}
// Null if the value is not an Awaitable (Completable).
inline AwaitableSource* awaitable_source(const zval* value) noexcept {
  if (Z_TYPE_P(value) != IS_OBJECT) return nullptr;
  const Handlers* handlers = async_handlers(Z_OBJ_P(value));
  return handlers && handlers->source ? handlers->source(Z_OBJ_P(value)) : nullptr;
}
inline AwaitableSource* completable_source(const zval* value) noexcept {
  if (Z_TYPE_P(value) != IS_OBJECT) return nullptr;
  const Handlers* handlers = async_handlers(Z_OBJ_P(value));
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
  // Creates an object without calling its constructor. The caller owns the reference.
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
