// Errors between C++ and PHP: a PHP exception travels through the library as Thrown inside an exception_ptr and comes
// out as the same object; the library's own errors become the classes of Async.
//
// Threads: the engine's. Errors: nothing here throws C++ exceptions.
#pragma once

#include <exception>
#include <string>
#include <utility>

#include "support/zend.hpp"

namespace trueasync {
class ChannelError;
}

namespace trueasync::php {

// A PHP exception as a C++ one. Owns one reference.
class PhpException {
 public:
  // Takes the reference over.
  explicit PhpException(zend_object* object) noexcept : object_(object) {}
  PhpException(const PhpException& other) noexcept : object_(other.object_) { GC_ADDREF(object_); }
  PhpException& operator=(const PhpException&) = delete;
  ~PhpException() { OBJ_RELEASE(object_); }
  zend_object* object() const noexcept { return object_; }

 private:
  zend_object* object_;
};

// Adopts `object`.
std::exception_ptr to_cpp(zend_object* object) noexcept;
// The caller gets a reference.
zend_object* to_php(const std::exception_ptr& error) noexcept;

// A new exception of that class; `previous` is taken over.
zend_object* make_exception(zend_class_entry* entry, const std::string& message,
                            zend_object* previous = nullptr) noexcept;

// `part` becomes one of the CompositeException's; its reference is taken over.
void add_to_composite(zend_object* composite, zend_object* part) noexcept;

// Set by channel.cpp: gives a ChannelException its reason.
inline void (*fill_channel_exception)(zend_object* exception, const ChannelError& error) = nullptr;

// Sets EG(exception). The object is taken over.
void throw_exception(zend_object* object) noexcept;
void throw_exception(const std::exception_ptr& error) noexcept;
void throw_exception(zend_class_entry* entry, const std::string& message) noexcept;
// What EG(exception) holds, which is empty then. Null: nothing was in flight.
zend_object* take_exception() noexcept;

// The body of every PHP function that calls the library: what is thrown becomes EG(exception).
template <class F>
void catch_to_php(F&& body) noexcept {
  try {
    std::forward<F>(body)();
  } catch (...) {
    throw_exception(std::current_exception());
  }
}

}  // namespace trueasync::php
