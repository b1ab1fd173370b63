// IterableSource: an array or a Traversable, element by element.
//
// Owns: a reference to the array as it was, or the iterator. Threads: the engine's. Errors: EG(exception).
#pragma once

#include "support/value.hpp"

namespace trueasync::php {

class IterableSource {
 public:
  // EG(exception) is set if there is no iterator.
  explicit IterableSource(zval* iterable) noexcept;
  IterableSource(const IterableSource&) = delete;
  IterableSource& operator=(const IterableSource&) = delete;
  ~IterableSource();

  // Puts the next element into both, the caller's from then on. False: there is none any more, or EG(exception) is set.
  bool next(zval* value, zval* key) noexcept;

 private:
  bool next_of_array(zval* value, zval* key) noexcept;
  bool next_of_iterator(zval* value, zval* key) noexcept;
  bool advance() noexcept;

  Value held_;
  HashPosition position_ = 0;
  zend_object_iterator* iterator_ = nullptr;
  bool has_begun_ = false;
};

}  // namespace trueasync::php
