// Structs of programs that are older or newer than this library: each tells its own size.
#pragma once

#include <cstring>
#include <string>

#include "capi/status.hpp"

namespace trueasync::detail {

// What a program gave, completed by `defaults` where it is too old to say. Throws what becomes TA_VERSION when a newer
// program asks for something that is not known here.
template <class T>
T read_options(const T* given, const char* name, T defaults = {}) {
  if (!given) {
    defaults.size = sizeof(T);
    return defaults;
  }
  if (given->size < sizeof given->size) {
    throw MisuseError(std::string(name) + ".size is not set: it is the struct's own sizeof");
  }
  const auto* bytes = reinterpret_cast<const unsigned char*>(given);
  for (std::size_t i = sizeof(T); i < given->size; ++i) {
    if (bytes[i] == 0) continue;
    throw StatusError(TA_VERSION, 0,
                      std::string(name) + " says something this runtime does not know: it is " +
                          std::to_string(given->size) + " bytes long, only " + std::to_string(sizeof(T)) +
                          " are known here. Use a newer runtime.");
  }
  std::memcpy(static_cast<void*>(&defaults), bytes, given->size < sizeof(T) ? given->size : sizeof(T));
  defaults.size = sizeof(T);
  return defaults;
}

// What a program gave as far as it is known here, without a look at the rest; zero where it gave nothing.
template <class T>
T copy_known_fields(const T* given) noexcept {
  T known = {};
  if (given && given->size >= sizeof given->size) {
    std::memcpy(static_cast<void*>(&known), given, given->size < sizeof(T) ? given->size : sizeof(T));
  }
  return known;
}

// The function of an option struct with its argument, which it owns from here on, whatever is wrong with the rest.
template <class T>
CFunction call_of(const T* given, ta_function T::*function) noexcept {
  const T known = copy_known_fields(given);
  return CFunction(known.*function, known.argument, known.dispose);
}

// Fills as much as the program has room for; what is not known here is zero.
template <class T>
void write_struct(T* to, const T& from, const char* name) {
  if (!to || to->size < sizeof to->size) {
    throw MisuseError(std::string(name) + ".size is not set: it is the struct's own sizeof");
  }
  const std::size_t room = to->size;
  const std::size_t known = room < sizeof(T) ? room : sizeof(T);
  std::memcpy(static_cast<void*>(to), &from, known);
  std::memset(reinterpret_cast<unsigned char*>(to) + known, 0, room - known);
  to->size = room;
}

// IO-18.
inline void check_flags(std::uint64_t flags, std::uint64_t known, const char* name) {
  if (const std::uint64_t unknown = flags & ~known; unknown != 0) {
    throw MisuseError(std::string(name) + ": this runtime does not know the flags " + std::to_string(unknown));
  }
}

template <class P>
P require_non_null(P pointer, const char* name) {
  if (!pointer) throw MisuseError(std::string(name) + " must not be NULL");
  return pointer;
}

}  // namespace trueasync::detail
