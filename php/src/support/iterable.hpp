// IterableSource: the elements of an array or a Traversable.
//
// Ownership: a reference to the array, whose later changes have no effect, or the iterator.
// Thread safety: the engine's thread only.
// Errors: EG(exception).
#pragma once

#include "support/value.hpp"

namespace trueasync::php {

class IterableSource {
 public:
  // Sets EG(exception) if the iterator cannot be created.
  explicit IterableSource(zval* iterable) noexcept;
  IterableSource(const IterableSource&) = delete;
  IterableSource& operator=(const IterableSource&) = delete;
  ~IterableSource();

  // Stores the next element; the caller owns both values. Returns false if there are no more elements, or EG(exception)
  // is set.
  bool next(zval* value, zval* key) noexcept;

 private:
  bool next_of_array(zval* value, zval* key) noexcept;
  bool next_of_iterator(zval* value, zval* key) noexcept;
  bool advance() noexcept;

  Value iterable_;
  HashPosition position_ = 0;
  zend_object_iterator* iterator_ = nullptr;
  bool started_ = false;
};

}  // namespace trueasync::php
