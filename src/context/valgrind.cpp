#include "context/valgrind.hpp"

#include <cstddef>
#include <cstdint>

namespace trueasync::detail {
namespace {

// Numbers of valgrind's client request interface, which are stable across its releases.
enum class Request : std::uintptr_t {
  running_on_valgrind = 0x1001,
  stack_register = 0x1501,
  stack_deregister = 0x1502,
  change_error_disablement = 0x1801,
  // Requests of one tool start at the two letters of its name. Other tools ignore them.
  memcheck_make_undefined = (std::uintptr_t{'M'} << 24 | std::uintptr_t{'C'} << 16) + 1,
};

// valgrind recognizes a sequence of rotations that leaves the rotated register as it was. The arguments are six words
// in memory; the result replaces a register that holds 0, the result outside valgrind.
std::uintptr_t send(Request request, std::uintptr_t first = 0, std::uintptr_t second = 0) noexcept {
  const volatile std::uintptr_t arguments[6] = {static_cast<std::uintptr_t>(request), first, second, 0, 0, 0};
  std::uintptr_t result = 0;
#if defined(__x86_64__)
  asm volatile(
      "rolq $3, %%rdi\n\t"
      "rolq $13, %%rdi\n\t"
      "rolq $61, %%rdi\n\t"
      "rolq $51, %%rdi\n\t"
      "xchgq %%rbx, %%rbx"
      : "+d"(result)
      : "a"(arguments)
      : "cc", "memory");
#elif defined(__aarch64__)
  register std::uintptr_t in_and_out asm("x3") = 0;
  register const volatile std::uintptr_t* words asm("x4") = arguments;
  asm volatile(
      "ror x12, x12, #3\n\t"
      "ror x12, x12, #13\n\t"
      "ror x12, x12, #51\n\t"
      "ror x12, x12, #61\n\t"
      "orr x10, x10, x10"
      : "+r"(in_and_out)
      : "r"(words)
      : "cc", "memory");
  result = in_and_out;
#else
  static_cast<void>(arguments);
#endif
  return result;
}

std::uintptr_t to_word(const void* address) noexcept { return reinterpret_cast<std::uintptr_t>(address); }

}  // namespace

bool running_on_valgrind() noexcept { return send(Request::running_on_valgrind) != 0; }

unsigned valgrind_register_stack(const void* limit, const void* top) noexcept {
  // valgrind takes the address of the last byte.
  return static_cast<unsigned>(send(Request::stack_register, to_word(limit), to_word(top) - 1));
}

void valgrind_deregister_stack(unsigned id) noexcept { send(Request::stack_deregister, id); }

void valgrind_open_frame(void* top) noexcept {
  // valgrind sees the new stack pointer and the push of the return address as one step and takes the push for a write
  // below the stack pointer.
  constexpr std::size_t kReturnAddressSize = 16;
  send(Request::memcheck_make_undefined, to_word(top) - kReturnAddressSize, kReturnAddressSize);
}

void valgrind_suppress_errors(bool on) noexcept {
  send(Request::change_error_disablement, on ? 1 : ~std::uintptr_t{0});
}

}  // namespace trueasync::detail
