// Conversion of errors between C++ and PHP. A PHP exception passes through the library as a PhpException in an
// exception_ptr and is converted back to the same object. The library's own errors become exceptions of the Async
// namespace.
//
// Thread safety: the engine's thread only.
// Errors: no C++ exceptions.
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <utility>

#include "support/zend.hpp"

namespace trueasync {
class ChannelError;
}

namespace trueasync::php {

// PhpException: a PHP exception as a C++ exception. Ownership: one reference.
class PhpException {
 public:
  // Takes over the caller's reference.
  explicit PhpException(zend_object* object) noexcept : object_(object) {}
  PhpException(const PhpException& other) noexcept : object_(other.object_) { GC_ADDREF(object_); }
  PhpException& operator=(const PhpException&) = delete;
  ~PhpException() { OBJ_RELEASE(object_); }
  zend_object* object() const noexcept { return object_; }

 private:
  zend_object* object_;
};

// Takes over the reference to `object`.
std::exception_ptr to_cpp(zend_object* object) noexcept;
// The caller gets a reference.
zend_object* to_php(const std::exception_ptr& error) noexcept;

// Creates an exception of that class. Takes over the reference to `previous`.
zend_object* make_exception(zend_class_entry* entry, const std::string& message,
                            zend_object* previous = nullptr) noexcept;

// Adds `part` to a CompositeException and takes over the reference to it.
void add_to_composite(zend_object* composite, zend_object* part) noexcept;

// Set by channel.cpp: sets the reason of a ChannelException.
inline void (*fill_channel_exception)(zend_object* exception, const ChannelError& error) = nullptr;

// Sets EG(exception). Takes over the reference to `object`.
void throw_exception(zend_object* object) noexcept;
void throw_exception(const std::exception_ptr& error) noexcept;
void throw_exception(zend_class_entry* entry, const std::string& message) noexcept;
// Clears EG(exception) and returns its previous value, which may be null.
zend_object* take_exception() noexcept;

// The message of an exception, without calling getMessage(). Zero-terminated; valid until the property changes.
inline std::string_view message_of(zend_object* exception) noexcept {
  zval unused;
  const zval* message =
      zend_read_property_ex(zend_get_exception_base(exception), exception, ZSTR_KNOWN(ZEND_STR_MESSAGE), true, &unused);
  return Z_TYPE_P(message) == IS_STRING ? std::string_view(Z_STRVAL_P(message), Z_STRLEN_P(message)) : "";
}

// Runs the body of a PHP function that calls the library. A C++ exception becomes EG(exception).
template <class F>
void catch_to_php(F&& body) noexcept {
  try {
    std::forward<F>(body)();
  } catch (...) {
    throw_exception(std::current_exception());
  }
}

}  // namespace trueasync::php
