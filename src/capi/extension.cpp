#include "capi/extension.hpp"

#include <dlfcn.h>

#include "capi/options.hpp"

namespace trueasync::detail {

namespace {

// RTLD_NODELETE: places and hooks of an extension lead into it for as long as anything of it lives.
ta_extension_entry find_entry(const char* path) {
  void* object = ::dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (!object) throw StatusError(TA_UNAVAILABLE, 0, std::string("can't load an extension: ") + ::dlerror());
  void* symbol = ::dlsym(object, TA_EXTENSION_ENTRY);
  if (!symbol) {
    throw StatusError(TA_UNAVAILABLE, 0, std::string(path) + " is no extension: it has no " + TA_EXTENSION_ENTRY);
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
