// The interfaces of the namespace Async, registered at module start.
#pragma once

#include "support/zend.hpp"

namespace trueasync::php {

struct Interfaces {
  zend_class_entry* awaitable;
  zend_class_entry* completable;
  zend_class_entry* scope_provider;
  zend_class_entry* spawn_strategy;
};
inline Interfaces interfaces{};

void register_interfaces();

}  // namespace trueasync::php
