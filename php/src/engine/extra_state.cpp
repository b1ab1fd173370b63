#include "engine/extra_state.hpp"

#include <utility>

namespace trueasync::php::engine {

namespace {

php_output_handler* bottom_of(const zend_stack& handlers) noexcept {
  return handlers.top ? static_cast<php_output_handler**>(handlers.elements)[0] : nullptr;
}

// A stack with nothing but the shared buffer, if there is one.
void init_output() noexcept {
  zend_stack_init(&OG(handlers), sizeof(php_output_handler*));
  OG(active) = OG(running) = nullptr;
  if (!shared_output) return;
  zend_stack_push(&OG(handlers), &shared_output);
  OG(active) = shared_output;
}

void detect_shared_output_end() noexcept {
  if (shared_output && bottom_of(OG(handlers)) != shared_output) shared_output = nullptr;
}

// The shared buffer was ended while the coroutine was suspended.
void remove_bottom(zend_stack& handlers) noexcept {
  auto** elements = static_cast<php_output_handler**>(handlers.elements);
  std::memmove(elements, elements + 1, sizeof(*elements) * static_cast<std::size_t>(--handlers.top));
  for (int i = 0; i < handlers.top; ++i) --elements[i]->level;
}

}  // namespace

void find_shared_output() noexcept { shared_output = PG(output_buffering) ? bottom_of(OG(handlers)) : nullptr; }

ExtraEngineState* save_extra_state() noexcept {
  detect_shared_output_end();
  auto* state = static_cast<ExtraEngineState*>(emalloc(sizeof(ExtraEngineState)));
  state->handlers = OG(handlers);
  state->bottom = shared_output;
  state->active = OG(active);
  state->running = OG(running);
  init_output();
  state->error_message = std::exchange(PG(last_error_message), nullptr);
  state->error_file = std::exchange(PG(last_error_file), nullptr);
  state->error_type = std::exchange(PG(last_error_type), 0);
  state->error_line = std::exchange(PG(last_error_lineno), 0);
  state->compare = std::exchange(BG(user_compare_fci), {});
  state->compare_cache = std::exchange(BG(user_compare_fci_cache), {});
  restore_error_handler(&state->error_handler);
  state->opened_url = std::exchange(FG(user_stream_current_filename), nullptr);
  state->waits_for_process = std::exchange(FG(pclose_wait), 0);
  return state;
}

void restore_extra_state(ExtraEngineState* state) noexcept {
  zend_stack_destroy(&OG(handlers));
  OG(handlers) = state->handlers;
  OG(active) = state->active;
  OG(running) = state->running;
  if (state->bottom && state->bottom != shared_output) {
    remove_bottom(OG(handlers));
    if (OG(active) == state->bottom) OG(active) = nullptr;
  }
  clear_last_error();
  PG(last_error_message) = state->error_message;
  PG(last_error_file) = state->error_file;
  PG(last_error_type) = state->error_type;
  PG(last_error_lineno) = state->error_line;
  BG(user_compare_fci) = state->compare;
  BG(user_compare_fci_cache) = state->compare_cache;
  remove_error_handler(&state->error_handler);
  FG(user_stream_current_filename) = state->opened_url;
  FG(pclose_wait) = state->waits_for_process;
  efree(state);
}

void begin_output() noexcept {
  if (has_default_output()) return;
  zend_stack_destroy(&OG(handlers));
  init_output();
}

void flush_output() noexcept {
  const int kept = shared_output && bottom_of(OG(handlers)) == shared_output ? 1 : 0;
  while (OG(handlers).top > kept && php_output_end() == SUCCESS) {
  }
}

void reset_output() noexcept {
  detect_shared_output_end();
  begin_output();
}

void clear_last_error() noexcept {
  if (PG(last_error_message)) zend_string_release(std::exchange(PG(last_error_message), nullptr));
  if (PG(last_error_file)) zend_string_release(std::exchange(PG(last_error_file), nullptr));
}

}  // namespace trueasync::php::engine
