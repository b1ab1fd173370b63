// ExtraEngineState: what few coroutines have of their own and others need not pay for – output buffers, the last error,
// the comparison of a sort that waits, an error handler that does, a stream that a user's wrapper is opening and a process
// that is being closed.
//
// SWH-04: every coroutine has its own stack of output buffers. Where php.ini sets output_buffering the engine's own
// buffer is at the bottom of each, so that all output goes the same way; who has no other leaves it where it is.
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
  php_output_handler* bottom;  // the buffer that all share, if it is in here
  php_output_handler* active;
  php_output_handler* running;
  zend_string* error_message;
  zend_string* error_file;
  int error_type;
  int error_line;
  zend_fcall_info compare;
  zend_fcall_info_cache compare_cache;
  zval error_handler;      // the one that it is in; not owned
  const char* opened_url;  // against a wrapper that opens what it is opening
  int waits_for_process;   // in proc_close() and pclose(), not where a process is only let go
};

// The buffer of php.ini's output_buffering. Null: there is none, or it has been ended.
inline TRUEASYNC_PHP_LOCAL php_output_handler* shared_output = nullptr;

// Whether there is no buffer but the one that all share.
inline bool is_output_plain() noexcept {
  if (__builtin_expect(!shared_output, 1)) return OG(handlers).top == 0;
  return OG(handlers).top == 1 && static_cast<php_output_handler**>(OG(handlers).elements)[0] == shared_output &&
         OG(active) == shared_output && !OG(running);
}

// Whether there is anything to take along.
inline bool has_side_state() noexcept {
  return !is_output_plain() || PG(last_error_message) != nullptr ||
         BG(user_compare_fci_cache).function_handler != nullptr || is_error_handler_removed() ||
         FG(user_stream_current_filename) != nullptr || FG(pclose_wait) != 0;
}
// Takes it out of the globals, which hold then what one has that has begun just now.
ExtraEngineState* save_extra_state() noexcept;
// Puts it back; it is gone then.
void restore_extra_state(ExtraEngineState* state) noexcept;

// A coroutine begins.
void begin_side_state() noexcept;
// It ends: what is in its buffers is put out, as at the end of a script. PHP code may run.
void end_output() noexcept;
// After that, and after the last PHP code of a coroutine: nothing is left for the next one.
void leave_output() noexcept;
void end_side_state() noexcept;
// The runtime starts; its main coroutine has what the engine has.
void find_shared_output() noexcept;

}  // namespace trueasync::php::engine
