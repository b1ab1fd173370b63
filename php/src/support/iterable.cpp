#include "support/iterable.hpp"

namespace trueasync::php {

IterableSource::IterableSource(zval* iterable) noexcept : iterable_(iterable) {
  if (Z_TYPE_P(iterable_.get()) == IS_ARRAY) {
    zend_hash_internal_pointer_reset_ex(Z_ARRVAL_P(iterable_.get()), &position_);
    return;
  }
  zend_class_entry* entry = Z_OBJCE_P(iterable_.get());
  iterator_ = entry->get_iterator(entry, iterable_.get(), 0);
  if (iterator_) iterator_->index = 0;
}

IterableSource::~IterableSource() {
  if (iterator_) zend_iterator_dtor(iterator_);
}

bool IterableSource::next(zval* value, zval* key) noexcept {
  return iterator_ ? next_of_iterator(value, key) : next_of_array(value, key);
}

bool IterableSource::next_of_array(zval* value, zval* key) noexcept {
  HashTable* array = Z_ARRVAL_P(iterable_.get());
  zval* element = zend_hash_get_current_data_ex(array, &position_);
  if (!element) return false;
  ZVAL_COPY_DEREF(value, element);
  zend_hash_get_current_key_zval_ex(array, key, &position_);
  zend_hash_move_forward_ex(array, &position_);
  return true;
}

// Moves to the first or the next element. `started_` is updated before PHP code runs, because that code may suspend.
bool IterableSource::advance() noexcept {
  if (std::exchange(started_, true)) {
    ++iterator_->index;
    iterator_->funcs->move_forward(iterator_);
  } else if (iterator_->funcs->rewind) {
    iterator_->funcs->rewind(iterator_);
  }
  return !EG(exception) && iterator_->funcs->valid(iterator_) == SUCCESS && !EG(exception);
}

bool IterableSource::next_of_iterator(zval* value, zval* key) noexcept {
  if (!advance()) return false;
  zval* element = iterator_->funcs->get_current_data(iterator_);
  if (EG(exception) || !element) return false;
  ZVAL_COPY_DEREF(value, element);
  if (!iterator_->funcs->get_current_key) {
    ZVAL_LONG(key, static_cast<zend_long>(iterator_->index));
    return true;
  }
  ZVAL_NULL(key);
  iterator_->funcs->get_current_key(iterator_, key);
  if (!EG(exception)) return true;
  zval_ptr_dtor(value);
  zval_ptr_dtor(key);
  return false;
}

}  // namespace trueasync::php
