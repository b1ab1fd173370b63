#include "engine/unlinked_class.hpp"

namespace trueasync::php::engine {

namespace {

// No name that anybody could write; the engine itself names classes that way before they are declared.
zend_string* hidden_name(std::string_view name) noexcept {
  constexpr std::string_view kPrefix("\0hidden ", 8);
  return zend_string_concat2(kPrefix.data(), kPrefix.size(), name.data(), name.size());
}

void rename(Bucket* entry, zend_string* name) noexcept { zend_hash_set_bucket_key(EG(class_table), entry, name); }

}  // namespace

void hide_unlinked(std::string_view name) noexcept {
  zval* found = zend_hash_str_find(EG(class_table), name.data(), name.size());
  if (!found || (Z_CE_P(found)->ce_flags & ZEND_ACC_LINKED)) return;
  zend_string* hidden = hidden_name(name);
  rename(reinterpret_cast<Bucket*>(found), hidden);
  zend_string_release(hidden);
}

void show_unlinked(std::string_view name) noexcept {
  zend_string* hidden = hidden_name(name);
  if (zval* found = zend_hash_find(EG(class_table), hidden)) {
    zend_string* shown = zend_string_init(name.data(), name.size(), false);
    rename(reinterpret_cast<Bucket*>(found), shown);
    zend_string_release(shown);
  }
  zend_string_release(hidden);
}

}  // namespace trueasync::php::engine
