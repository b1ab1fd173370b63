// ExtraEngineState: engine state that few coroutines have, allocated only for them: output buffers, the last error, the
// comparison function of a suspended sort, a suspended error handler, a stream that a user wrapper is opening, and a
// process that is being closed.
//
// Every coroutine has its own stack of output buffers. With output_buffering in php.ini, the buffer of the engine is
// shared and is at the bottom of every stack. A coroutine without further buffers needs no extra state.
#pragma once

#include "engine/error_handler.hpp"

extern "C" {
#include "ext/standard/basic_functions.h"
#include "ext/standard/file.h"
#include "main/php_output.h"
}

namespace trueasync::php::engine {

struct ExtraEngineState {
  zend_stack handlers;
  php_output_handler* bottom;  // the shared buffer, if it is in `handlers`
  php_output_handler* active;
  php_output_handler* running;
  zend_string* error_message;
  zend_string* error_file;
  int error_type;
  int error_line;
  zend_fcall_info compare;
  zend_fcall_info_cache compare_cache;
  zval error_handler;      // the handler that runs in this coroutine; not owned
  const char* opened_url;  // detects a user wrapper that opens its own URL recursively
  int waits_for_process;   // set inside proc_close() and pclose(), which wait for the exit status
};

// The buffer of php.ini's output_buffering; null if there is none or it was ended.
inline TRUEASYNC_PHP_LOCAL php_output_handler* shared_output = nullptr;

// Whether there is no buffer besides the shared one.
inline bool has_default_output() noexcept {
  if (__builtin_expect(!shared_output, 1)) return OG(handlers).top == 0;
  return OG(handlers).top == 1 && static_cast<php_output_handler**>(OG(handlers).elements)[0] == shared_output &&
         OG(active) == shared_output && !OG(running);
}

// Whether the running coroutine has any extra state.
inline bool has_extra_state() noexcept {
  return !has_default_output() || PG(last_error_message) != nullptr ||
         BG(user_compare_fci_cache).function_handler != nullptr || is_error_handler_removed() ||
         FG(user_stream_current_filename) != nullptr || FG(pclose_wait) != 0;
}
// Moves the extra state out of the globals and resets them to the state of a new coroutine.
ExtraEngineState* save_extra_state() noexcept;
// Moves the state back to the globals and frees it.
void restore_extra_state(ExtraEngineState* state) noexcept;

// When a coroutine starts: gives it an empty stack of output buffers.
void begin_output() noexcept;
// When a coroutine ends: flushes its buffers, as at the end of a script. PHP code may run.
void flush_output() noexcept;
// After the last PHP code of a coroutine: resets the output buffers and the last error.
void reset_output() noexcept;
void clear_last_error() noexcept;
// When the runtime starts.
void find_shared_output() noexcept;

}  // namespace trueasync::php::engine
