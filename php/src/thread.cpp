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

// Of all that has to do with threads: without a second engine there is nothing a thread could run.
void refuse(const char* what) noexcept {
#ifdef ZTS
  raise(exceptions.async, std::string(what) + ": this build of true_async has no threads");
#else
  throw_exception(exceptions.async, std::string(what) +
                                        " needs a thread-safe PHP, configured with --enable-zts; this one is not "
                                        "(see \"Thread Safety\" in php -i)");
#endif
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

// Nobody has an object of these classes, so the methods are there for reflection only.
#define TRUEASYNC_THREAD_METHOD(class_name, method)                  \
  ZEND_METHOD(Async_##class_name, method) {                          \
    (void)execute_data;                                              \
    (void)return_value;                                              \
    trueasync::php::refuse("Async\\" #class_name "::" #method "()"); \
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
  trueasync::php::refuse("Async\\spawn_thread()");
}
