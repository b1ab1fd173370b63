#include "context/exception_state.hpp"

#include <cxxabi.h>

#include <cstddef>

#if defined(__ARM_EABI_UNWINDER__)
#error "the exception globals of the 32-bit ARM ABI have a third field"
#endif

namespace trueasync::detail {

// The Itanium C++ ABI, 2.2.2: caughtExceptions, then uncaughtExceptions. libstdc++ and libc++abi use this layout. The
// type is opaque in <cxxabi.h>, so the tests of src/context check the meaning of the fields.
static_assert(offsetof(CxaEhGlobals, caught) == 0);
static_assert(offsetof(CxaEhGlobals, uncaught) == sizeof(void*));
static_assert(sizeof(CxaEhGlobals) == 2 * sizeof(void*));
static_assert(alignof(CxaEhGlobals) == alignof(void*));

CxaEhGlobals* ExceptionState::globals() noexcept { return reinterpret_cast<CxaEhGlobals*>(abi::__cxa_get_globals()); }

}  // namespace trueasync::detail
