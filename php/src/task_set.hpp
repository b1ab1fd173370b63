// Async\TaskSet: tasks whose results leave the set when they are delivered.
#pragma once

#include "task_object.hpp"

namespace trueasync::php {

struct TaskSetObject final : TaskObject {
  zend_object* take(const Notification& notification, zval* result) noexcept override;
  bool iterate(std::size_t& position, Value& key, Value& value) noexcept;
};

void register_task_set();

}  // namespace trueasync::php
