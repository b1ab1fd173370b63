// The import tables of one loaded object: where it keeps the addresses of functions of other objects.
//
// Owns: nothing. Threads: the object must stay loaded meanwhile (inside dl_iterate_phdr). Errors: an object without such
// tables has no imports.
#pragma once

#include <link.h>

#include <string_view>

namespace trueasync::detail::interpose {

// Whether this CPU's relocations are known.
bool is_known_cpu() noexcept;

// The file name without folders; the program's own for the main object.
std::string_view name_of(const dl_phdr_info& object) noexcept;
// Whether the address lies in the object.
bool contains(const dl_phdr_info& object, const void* address) noexcept;

class ImportVisitor {
 public:
  virtual void on_import(const char* name, void** slot) noexcept = 0;

 protected:
  ~ImportVisitor() = default;
};

enum class Slots : unsigned char { as_they_are, writable };

// Shows every imported function and its slot.
void visit_imports(const dl_phdr_info& object, Slots slots, ImportVisitor& visitor) noexcept;

}  // namespace trueasync::detail::interpose
