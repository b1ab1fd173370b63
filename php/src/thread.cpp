// Async\Thread, ThreadPool, ThreadChannel and spawn_thread(): declared, but every use throws an AsyncException. A
// thread needs its own engine, which requires a thread-safe PHP (ZTS).
#include <string>

#include "exceptions.hpp"
#include "generated/thread_arginfo.h"
#include "generated/thread_channel_arginfo.h"
#include "generated/thread_pool_arginfo.h"
#include "interfaces.hpp"
#include "registration.hpp"
#include "support/error.hpp"
#include "support/object.hpp"

namespace trueasync::php {

namespace {

void throw_unsupported(const char* function) noexcept {
#ifdef ZTS
  constexpr const char* kReason = "this version of true_async does not support threads";
#else
  constexpr const char* kReason = "threads require a thread-safe PHP (built with --enable-zts)";
#endif
  throw_exception(exceptions.async, std::string("Cannot call ") + function + ": " + kReason);
}

struct ThreadObject {
  static constexpr bool kConstructible = false;
};
struct ThreadPoolObject {};
struct ThreadChannelObject {};

}  // namespace

void register_thread() {
  Class<ThreadObject>::setup(register_class_Async_Thread(interfaces.completable));
  Class<ThreadPoolObject>::setup(register_class_Async_ThreadPool());
  Class<ThreadChannelObject>::setup(register_class_Async_ThreadChannel(interfaces.awaitable, zend_ce_countable));
}

}  // namespace trueasync::php

// The constructors throw, so no object of these classes is usable. The other methods exist for reflection.
#define TRUEASYNC_THREAD_METHOD(class_name, method)                             \
  ZEND_METHOD(Async_##class_name, method) {                                     \
    (void)execute_data;                                                         \
    (void)return_value;                                                         \
    trueasync::php::throw_unsupported("Async\\" #class_name "::" #method "()"); \
  }

TRUEASYNC_THREAD_METHOD(Thread, __construct)
TRUEASYNC_THREAD_METHOD(Thread, isRunning)
TRUEASYNC_THREAD_METHOD(Thread, isCompleted)
TRUEASYNC_THREAD_METHOD(Thread, isCancelled)
TRUEASYNC_THREAD_METHOD(Thread, getResult)
TRUEASYNC_THREAD_METHOD(Thread, getException)
TRUEASYNC_THREAD_METHOD(Thread, cancel)
TRUEASYNC_THREAD_METHOD(Thread, finally)
TRUEASYNC_THREAD_METHOD(ThreadPool, __construct)
TRUEASYNC_THREAD_METHOD(ThreadPool, submit)
TRUEASYNC_THREAD_METHOD(ThreadPool, map)
TRUEASYNC_THREAD_METHOD(ThreadPool, close)
TRUEASYNC_THREAD_METHOD(ThreadPool, cancel)
TRUEASYNC_THREAD_METHOD(ThreadPool, isClosed)
TRUEASYNC_THREAD_METHOD(ThreadPool, getPendingCount)
TRUEASYNC_THREAD_METHOD(ThreadPool, getRunningCount)
TRUEASYNC_THREAD_METHOD(ThreadPool, getCompletedCount)
TRUEASYNC_THREAD_METHOD(ThreadPool, getWorkerCount)
TRUEASYNC_THREAD_METHOD(ThreadChannel, __construct)
TRUEASYNC_THREAD_METHOD(ThreadChannel, send)
TRUEASYNC_THREAD_METHOD(ThreadChannel, recv)
TRUEASYNC_THREAD_METHOD(ThreadChannel, close)
TRUEASYNC_THREAD_METHOD(ThreadChannel, isClosed)
TRUEASYNC_THREAD_METHOD(ThreadChannel, capacity)
TRUEASYNC_THREAD_METHOD(ThreadChannel, count)
TRUEASYNC_THREAD_METHOD(ThreadChannel, isEmpty)
TRUEASYNC_THREAD_METHOD(ThreadChannel, isFull)

ZEND_FUNCTION(Async_spawn_thread) {
  (void)execute_data;
  (void)return_value;
  trueasync::php::throw_unsupported("Async\\spawn_thread()");
}
