// The exception classes, registered at module start.
#pragma once

#include "support/zend.hpp"

namespace trueasync::php {

struct Exceptions {
  zend_class_entry* cancellation;  // \Cancellation
  zend_class_entry* async_cancellation;
  zend_class_entry* operation_canceled;
  zend_class_entry* deadlock;
  zend_class_entry* async;
  zend_class_entry* service_unavailable;
  zend_class_entry* channel;
  zend_class_entry* pool;
  zend_class_entry* context;
  zend_class_entry* input_output;
  zend_class_entry* dns;
  zend_class_entry* timeout;
  zend_class_entry* poll;
  zend_class_entry* composite;
};
inline Exceptions exceptions{};

void register_cancellation();
void unregister_cancellation();
void register_exceptions();

inline bool is_cancellation(const zend_object* object) noexcept {
  return instanceof_function(object->ce, exceptions.cancellation);
}

}  // namespace trueasync::php
