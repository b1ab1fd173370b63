#include "support/source_location.hpp"

namespace trueasync::php {

namespace {

TRUEASYNC_PHP_LOCAL HashTable* file_names = nullptr;

}  // namespace

const char* keep_file_name(zend_string* name) noexcept {
  if (!file_names) {
    ALLOC_HASHTABLE(file_names);
    zend_hash_init(file_names, 8, nullptr, nullptr, false);
  }
  const zval* found = zend_hash_find(file_names, name);
  if (!found) found = zend_hash_add_empty_element(file_names, name);
  zend_string* kept = reinterpret_cast<const Bucket*>(found)->key;
  file_name_cache[(reinterpret_cast<std::uintptr_t>(kept) >> 5) % kFileNameCacheSize] = kept;
  return ZSTR_VAL(kept);
}

void drop_file_names() noexcept {
  if (!file_names) return;
  std::memset(file_name_cache, 0, sizeof(file_name_cache));
  zend_hash_destroy(file_names);
  FREE_HASHTABLE(file_names);
  file_names = nullptr;
}

void return_file_and_line(zval* return_value, SourceLocation location) {
  array_init(return_value);
  if (location.file()) {
    add_next_index_string(return_value, location.file());
  } else {
    add_next_index_null(return_value);
  }
  add_next_index_long(return_value, location.line());
}

void return_location(zval* return_value, SourceLocation location) {
  if (location.file()) {
    RETVAL_STR(strpprintf(0, "%s:%u", location.file(), static_cast<unsigned>(location.line())));
  } else {
    RETVAL_STRING("unknown");
  }
}

}  // namespace trueasync::php
