// Value: a zval that owns a reference. The element type of the library's containers in PHP.
//
// Ownership: one reference to the value.
// Thread safety: the engine's thread only.
// Errors: the destructor of a PHP object may set EG(exception).
#pragma once

#include <utility>

#include "support/zend.hpp"

namespace trueasync::php {

class Value {
 public:
  Value() noexcept { ZVAL_UNDEF(&zval_); }
  // Adds a reference.
  explicit Value(const zval* other) noexcept { ZVAL_COPY_DEREF(&zval_, const_cast<zval*>(other)); }
  explicit Value(zend_object* object) noexcept { ZVAL_OBJ_COPY(&zval_, object); }
  Value(const Value& other) noexcept { ZVAL_COPY(&zval_, const_cast<zval*>(&other.zval_)); }
  Value(Value&& other) noexcept {
    ZVAL_COPY_VALUE(&zval_, &other.zval_);
    ZVAL_UNDEF(&other.zval_);
  }
  Value& operator=(Value other) noexcept {
    std::swap(zval_, other.zval_);
    return *this;
  }
  ~Value() {
    if (Z_REFCOUNTED(zval_)) zval_ptr_dtor(&zval_);
  }

  // Takes over the reference that `other` holds.
  static Value adopt(zval* other) noexcept {
    Value value;
    ZVAL_COPY_VALUE(&value.zval_, other);
    return value;
  }
  static Value adopt(zend_object* object) noexcept {
    Value value;
    if (object) ZVAL_OBJ(&value.zval_, object);
    return value;
  }

  explicit operator bool() const noexcept { return Z_TYPE(zval_) != IS_UNDEF; }
  zval* get() noexcept { return &zval_; }
  const zval* get() const noexcept { return &zval_; }
  zend_object* object() const noexcept { return Z_TYPE(zval_) == IS_OBJECT ? Z_OBJ(zval_) : nullptr; }
  // The target must hold no value.
  void copy_to(zval* target) const noexcept { ZVAL_COPY(target, const_cast<zval*>(&zval_)); }
  void move_to(zval* target) noexcept {
    ZVAL_COPY_VALUE(target, &zval_);
    ZVAL_UNDEF(&zval_);
  }
  void reset() noexcept {
    zval old;
    move_to(&old);
    zval_ptr_dtor(&old);
  }

 private:
  zval zval_;
};

}  // namespace trueasync::php
