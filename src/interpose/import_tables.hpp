// The import tables of a loaded object: the slots that hold the addresses of functions of other objects.
//
// Lifetime: the object must stay loaded during each call; call these functions inside dl_iterate_phdr().
// Errors: an object without import tables has no imports.
#pragma once

#include <link.h>

#include <string_view>

namespace trueasync::detail::interpose {

// Whether the relocation types of this CPU architecture are supported.
bool is_supported_cpu() noexcept;

// The file name without directories; the program's name for the main object.
std::string_view object_name(const dl_phdr_info& object) noexcept;
bool contains(const dl_phdr_info& object, const void* address) noexcept;

class ImportVisitor {
 public:
  virtual void on_import(const char* name, void** slot) noexcept = 0;

 protected:
  ~ImportVisitor() = default;
};

enum class Slots : unsigned char { read_only, writable };

// Calls the visitor for every imported function. With Slots::writable the visitor may write to the slots.
void visit_imports(const dl_phdr_info& object, Slots slots, ImportVisitor& visitor) noexcept;

}  // namespace trueasync::detail::interpose
