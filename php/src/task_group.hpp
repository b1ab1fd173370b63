// Async\TaskGroup: tasks that belong together; asking again gives the same answer.
#pragma once

#include "task_object.hpp"

namespace trueasync::php {

struct TaskGroupObject final : TaskObject {
  zend_object* take(const Notification& notification, zval* result) noexcept override;
  bool iterate(std::size_t& position, Value& key, Value& value) noexcept;
};

void register_task_group();

}  // namespace trueasync::php
