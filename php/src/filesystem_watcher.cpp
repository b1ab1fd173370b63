#include "filesystem_watcher.hpp"

#include "engine/runtime.hpp"
#include "exceptions.hpp"
#include "generated/file_system_watcher_arginfo.h"
#include "interfaces.hpp"
#include "support/duration.hpp"
#include "support/error.hpp"
#include "support/foreach_iterator.hpp"
#include "support/wait.hpp"
#include "trueasync/io/error.hpp"

namespace trueasync::php {

namespace {

// The state is in the PHP properties.
struct FileSystemEventObject {
  static constexpr bool kConstructible = false;
};

void make_event(zval* target, const FsEvent& event) {
  ZVAL_OBJ(target, Class<FileSystemEventObject>::object_of(Class<FileSystemEventObject>::make()));
  zval* property = Z_OBJ_P(target)->properties_table;
  ZVAL_STRINGL(&property[0], event.path.data(), event.path.size());
  if (event.filename.empty()) {
    ZVAL_NULL(&property[1]);
  } else {
    ZVAL_STRINGL(&property[1], event.filename.data(), event.filename.size());
  }
  ZVAL_BOOL(&property[2], event.renamed);
  ZVAL_BOOL(&property[3], event.changed);
}

}  // namespace

bool FileSystemWatcherObject::check() const noexcept {
  if (watcher) return true;
  zend_throw_error(nullptr, "Cannot use a watcher whose constructor was not called");
  return false;
}

bool FileSystemWatcherObject::try_take_event(zval* target) noexcept {
  bool has_event = false;
  catch_to_php([&] {
    if (std::optional<FsEvent> next = watcher->try_next()) {
      make_event(target, *next);
      has_event = true;
    } else if (!remaining.empty()) {
      make_event(target, remaining.front());
      remaining.pop_front();
      has_event = true;
    }
  });
  return has_event;
}

bool FileSystemWatcherObject::is_ready() noexcept {
  Notification ignored;
  return watcher && (watcher->is_closed() || watcher->event().replay(ignored));
}

Event* FileSystemWatcherObject::event() noexcept { return check() ? &watcher->event() : nullptr; }

zend_object* FileSystemWatcherObject::take(const Notification&, zval* result) noexcept {
  if (!try_take_event(result) && !EG(exception)) ZVAL_NULL(result);
  return take_exception();
}

bool FileSystemWatcherObject::iterate(std::size_t& position, Value& key, Value& value) noexcept {
  if (!check() || !engine::ensure_started()) return false;
  for (;;) {
    zval event;
    if (try_take_event(&event)) {
      zval number;
      ZVAL_LONG(&number, static_cast<zend_long>(position++));
      key = Value::adopt(&number);
      value = Value::adopt(&event);
      return true;
    }
    if (EG(exception) || watcher->is_closed()) return false;
    Notification ignored;
    if (!wait_for(watcher->event(), nullptr, ignored, executing_location())) return false;
  }
}

void FileSystemWatcherObject::close() noexcept {
  if (watcher->is_closed()) return;
  catch_to_php([&] {
    while (std::optional<FsEvent> next = watcher->try_next()) remaining.push_back(std::move(*next));
  });
  watcher->close();
}

void register_file_system_watcher() {
  Class<FileSystemEventObject>::setup(register_class_Async_FileSystemEvent());
  zend_class_entry* entry = register_class_Async_FileSystemWatcher(interfaces.awaitable, zend_ce_aggregate);
  ForeachIterator<FileSystemWatcherObject>::setup(Class<FileSystemWatcherObject>::setup(entry));
}

}  // namespace trueasync::php

using namespace trueasync;
using namespace trueasync::php;

namespace {

FileSystemWatcherObject& this_watcher(zval* value) noexcept { return Class<FileSystemWatcherObject>::self(value); }

// An extension may start with a dot.
bool read_extensions(HashTable* list, std::vector<std::string>& extensions) {
  zval* item;
  ZEND_HASH_FOREACH_VAL(list, item) {
    ZVAL_DEREF(item);
    if (Z_TYPE_P(item) != IS_STRING || Z_STRLEN_P(item) == 0) {
      zend_argument_type_error(6, "must contain only non-empty strings");
      return false;
    }
    std::string text(Z_STRVAL_P(item), Z_STRLEN_P(item));
    if (text.front() == '.') text.erase(0, 1);
    extensions.push_back(std::move(text));
  }
  ZEND_HASH_FOREACH_END();
  return true;
}

}  // namespace

ZEND_METHOD(Async_FileSystemEvent, __construct) { ZEND_PARSE_PARAMETERS_NONE(); }

ZEND_METHOD(Async_FileSystemWatcher, __construct) {
  char* path;
  std::size_t length;
  bool is_recursive = false;
  bool coalesces = true;
  zend_long debounce = 0;
  zend_long max_debounce = 0;
  HashTable* extensions = nullptr;
  ZEND_PARSE_PARAMETERS_START(1, 6)
  Z_PARAM_PATH(path, length)
  Z_PARAM_OPTIONAL
  Z_PARAM_BOOL(is_recursive)
  Z_PARAM_BOOL(coalesces)
  Z_PARAM_LONG(debounce)
  Z_PARAM_LONG(max_debounce)
  Z_PARAM_ARRAY_HT(extensions)
  ZEND_PARSE_PARAMETERS_END();
  if (debounce < 0) return (void)zend_argument_value_error(4, "must be greater than or equal to 0");
  if (max_debounce < 0) return (void)zend_argument_value_error(5, "must be greater than or equal to 0");
  auto& self = this_watcher(ZEND_THIS);
  if (self.watcher) return (void)zend_throw_error(nullptr, "Cannot call Async\\FileSystemWatcher::__construct() twice");
  if (!engine::ensure_started()) return;
  catch_to_php([&] {
    FsWatchOptions options;
    options.path.assign(path, length);
    options.recursive = is_recursive;
    options.coalesce = coalesces;
    options.debounce = to_duration(debounce);
    options.max_debounce = to_duration(max_debounce);
    if (extensions && !read_extensions(extensions, options.extensions)) return;
    try {
      self.watcher.emplace(std::move(options));
    } catch (const IoError& error) {
      zend_throw_error(nullptr, "%s", error.what());
    }
  });
}

ZEND_METHOD(Async_FileSystemWatcher, close) {
  ZEND_PARSE_PARAMETERS_NONE();
  auto& self = this_watcher(ZEND_THIS);
  if (self.check()) self.close();
}

ZEND_METHOD(Async_FileSystemWatcher, isClosed) {
  ZEND_PARSE_PARAMETERS_NONE();
  auto& self = this_watcher(ZEND_THIS);
  if (self.check()) RETURN_BOOL(self.watcher->is_closed());
}

ZEND_METHOD(Async_FileSystemWatcher, getIterator) {
  ZEND_PARSE_PARAMETERS_NONE();
  zend_create_internal_iterator_zval(return_value, ZEND_THIS);
}
