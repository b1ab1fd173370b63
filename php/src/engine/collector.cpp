#include "engine/collector.hpp"

namespace trueasync::php::engine {

namespace {

void report_symbols(HashTable* symbols, GcBuffer& buffer) noexcept {
  zval* value;
  ZEND_HASH_FOREACH_VAL(symbols, value) { buffer.add(Z_TYPE_P(value) == IS_INDIRECT ? Z_INDIRECT_P(value) : value); }
  ZEND_HASH_FOREACH_END();
}

// The engine leaves those of internal functions out.
void report_arguments(zend_execute_data* frame, GcBuffer& buffer) noexcept {
  for (uint32_t i = 1; i <= ZEND_CALL_NUM_ARGS(frame); ++i) buffer.add(ZEND_CALL_ARG(frame, i));
}

}  // namespace

void report_frames(const EngineState& state, GcBuffer& buffer) noexcept {
  HashTable* seen = nullptr;
  for (zend_execute_data* frame = state.current_execute_data; frame; frame = frame->prev_execute_data) {
    // A running generator keeps what it has to itself: it can't be collected while it runs.
    if (!frame->func || (ZEND_CALL_INFO(frame) & ZEND_CALL_GENERATOR)) continue;
    zend_execute_data* call = ZEND_USER_CODE(frame->func->type) ? frame->call : nullptr;
    if (!ZEND_USER_CODE(frame->func->type)) report_arguments(frame, buffer);
    HashTable* symbols = zend_unfinished_execution_gc_ex(frame, call, buffer.raw(), false);
    // An included file has the variables of the function that includes it.
    if (symbols && symbols != seen) report_symbols(symbols, buffer);
    if (symbols) seen = symbols;
  }
}

void report_call(const CoroutineObject& coroutine, GcBuffer& buffer) noexcept {
  const zend_fcall_info& call = coroutine.call;
  buffer.add(const_cast<zval*>(&call.function_name));
  for (uint32_t i = 0; i < call.param_count; ++i) buffer.add(&call.params[i]);
  if (!call.named_params) return;
  zval named;
  ZVAL_ARR(&named, call.named_params);
  buffer.add(&named);
}

}  // namespace trueasync::php::engine
