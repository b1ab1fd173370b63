// ExceptionState: the C++ exception state of one context: the exceptions it handles and the number of uncaught ones.
// The C++ runtime keeps this state per thread; a switch must save and restore it. No other code does.
#pragma once

namespace trueasync::detail {

// The head of the Itanium C++ ABI's __cxa_eh_globals.
struct CxaEhGlobals {
  void* caught;
  unsigned int uncaught;
};

// The state of a suspended context. Invariant: empty while the context runs, because its state is in the globals then.
// So a switch between contexts without exceptions only reads. That takes half the time of copying, because a copy would
// depend on the stores of the previous switch.
struct ExceptionState {
  void* caught = nullptr;
  unsigned int uncaught = 0;

  // This thread's globals. The address does not change during the thread's lifetime.
  static CxaEhGlobals* globals() noexcept;

  // Saves the globals in `from` and restores those of `to`.
  [[gnu::always_inline]] static void exchange(ExceptionState& from, ExceptionState& to,
                                              CxaEhGlobals* globals) noexcept {
    const bool is_idle = globals->caught == nullptr && globals->uncaught == 0 && to.is_empty();
    if (__builtin_expect(is_idle, 1)) return;
    from.caught = globals->caught;
    from.uncaught = globals->uncaught;
    to.restore(globals);
  }
  void restore(CxaEhGlobals* globals) noexcept {
    globals->caught = caught;
    globals->uncaught = uncaught;
    *this = ExceptionState{};
  }
  bool is_empty() const noexcept { return caught == nullptr && uncaught == 0; }
};

}  // namespace trueasync::detail
