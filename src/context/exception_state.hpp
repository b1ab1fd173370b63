// C++ exception state of one flow (XC-01): which exceptions it is handling and how many it has in flight. The C++
// runtime keeps it per thread; it must travel with the coroutine. This is its only owner (XC-02).
#pragma once

namespace trueasync::detail {

// The head of the Itanium C++ ABI's __cxa_eh_globals.
struct CxaEhGlobals {
  void* caught;
  unsigned int uncaught;
};

// What a flow leaves behind while it is suspended. Invariant: empty while the flow runs, its state is in the globals
// then. So a switch between flows that handle nothing only looks and writes nothing; that is half the time of copying,
// because the copies would wait for each other from one switch to the next.
struct ExceptionState {
  void* caught = nullptr;
  unsigned int uncaught = 0;

  // The running thread's globals; the address is the same for the life of the thread.
  static CxaEhGlobals* globals() noexcept;

  // `from` is left, `to` goes on.
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
