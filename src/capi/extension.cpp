// Loading of extensions: shared objects that use trueasync.h and no symbol of the library.
#include <dlfcn.h>

#include "capi/options.hpp"
#include "capi/tables.hpp"

namespace trueasync::detail {

namespace {

// RTLD_NODELETE: locations and hooks point into the extension until the process ends.
ta_extension_entry find_entry(const char* path) {
  void* object = ::dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!object) throw StatusError(TA_UNAVAILABLE, 0, std::string("load_extension: ") + ::dlerror());
  void* symbol = ::dlsym(object, TA_EXTENSION_ENTRY);
  if (!symbol) {
    throw StatusError(TA_UNAVAILABLE, 0,
                      std::string("load_extension: ") + path + " does not define " + TA_EXTENSION_ENTRY);
  }
  return reinterpret_cast<ta_extension_entry>(symbol);
}

}  // namespace

ta_status load_extension(const char* path, void* argument, ta_error* error) noexcept {
  return catch_to_status(error, [&]() -> ta_status {
    const ta_extension_entry entry = find_entry(require_non_null(path, "the path"));
    ta_error own = empty_error();
    const ta_status status = entry(&ta_get_api, argument, &own);
    return status == TA_OK ? TA_OK : ta_fail(error, status, own.system, own.message);
  });
}

}  // namespace trueasync::detail
