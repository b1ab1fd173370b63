// Structs of programs built with an older or newer header. Each begins with the size that the program knows.
#pragma once

#include <cstring>
#include <string>

#include "capi/status.hpp"

namespace trueasync::detail {

// Returns the caller's struct. Members that an older program does not know are taken from `defaults`. Throws an error
// with TA_VERSION if a newer program sets a member that this library does not know.
template <class T>
T read_options(const T* caller_options, const char* name, T defaults = {}) {
  if (!caller_options) {
    defaults.size = sizeof(T);
    return defaults;
  }
  if (caller_options->size < sizeof caller_options->size) {
    throw MisuseError(std::string(name) + ".size is not set; initialize the struct with TA_OPTIONS");
  }
  const auto* bytes = reinterpret_cast<const unsigned char*>(caller_options);
  for (std::size_t i = sizeof(T); i < caller_options->size; ++i) {
    if (bytes[i] == 0) continue;
    throw StatusError(TA_VERSION, 0,
                      std::string(name) + ": a member that this runtime does not know is set (" +
                          std::to_string(caller_options->size) + " bytes, the runtime knows " +
                          std::to_string(sizeof(T)) + "); use a newer runtime");
  }
  std::memcpy(static_cast<void*>(&defaults), bytes,
              caller_options->size < sizeof(T) ? caller_options->size : sizeof(T));
  defaults.size = sizeof(T);
  return defaults;
}

// Returns the known part of the caller's struct without validation; the rest is zero.
template <class T>
T copy_known_fields(const T* caller_options) noexcept {
  T known = {};
  if (caller_options && caller_options->size >= sizeof caller_options->size) {
    std::memcpy(static_cast<void*>(&known), caller_options,
                caller_options->size < sizeof(T) ? caller_options->size : sizeof(T));
  }
  return known;
}

// Takes the function and its argument from an option struct. The argument is disposed of also if the struct is invalid.
template <class T>
CFunction take_function(const T* caller_options, ta_function T::*function) noexcept {
  const T known = copy_known_fields(caller_options);
  return CFunction(known.*function, known.argument, known.dispose);
}

// Fills the caller's struct as far as its size allows. Members that this library does not know are set to zero.
template <class T>
void write_struct(T* to, const T& from, const char* name) {
  if (!to || to->size < sizeof to->size) {
    throw MisuseError(std::string(name) + ".size is not set; initialize the struct with TA_OPTIONS");
  }
  const std::size_t room = to->size;
  const std::size_t known = room < sizeof(T) ? room : sizeof(T);
  std::memcpy(static_cast<void*>(to), &from, known);
  std::memset(reinterpret_cast<unsigned char*>(to) + known, 0, room - known);
  to->size = room;
}

// Throws MisuseError for unknown flags: ignoring them would silently change what the caller requested.
inline void check_flags(std::uint64_t flags, std::uint64_t known, const char* name) {
  if (const std::uint64_t unknown = flags & ~known; unknown != 0) {
    throw MisuseError(std::string(name) + ": unknown flags " + std::to_string(unknown));
  }
}

template <class P>
P require_non_null(P pointer, const char* name) {
  if (!pointer) throw MisuseError(std::string(name) + " must not be NULL");
  return pointer;
}

}  // namespace trueasync::detail
