// Value: a zval that is owned. What the library's containers hold when PHP uses them.
//
// Owns: one reference to what the zval points to. Threads: the engine's. Errors: destructors of PHP objects may leave
// an exception in EG(exception).
#pragma once

#include <utility>

#include "support/zend.hpp"

namespace trueasync::php {

class Value {
 public:
  Value() noexcept { ZVAL_UNDEF(&zval_); }
  // Copies: one reference more.
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
  // Into a return_value or another zval that holds nothing yet.
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
