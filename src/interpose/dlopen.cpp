#include <dlfcn.h>
#include <link.h>

#include <cstring>

#include "interpose/call_context.hpp"
#include "interpose/calls.hpp"
#include "interpose/import_patcher.hpp"

namespace trueasync::detail::interpose::calls {

namespace {

// The loader looks for a bare name, and for $ORIGIN, where the object says that calls dlopen.
bool has_search_path(const void* code) noexcept {
  Dl_info info = {};
  link_map* object = nullptr;
  if (::dladdr1(code, &info, reinterpret_cast<void**>(&object), RTLD_DL_LINKMAP) == 0 || !object) return true;
  for (const ElfW(Dyn)* entry = object->l_ld; entry && entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_RUNPATH || entry->d_tag == DT_RPATH) return true;
  }
  return false;
}

bool depends_on_caller(const char* path, const void* code) noexcept {
  if (!path) return false;
  return std::strchr(path, '$') || (!std::strchr(path, '/') && has_search_path(code));
}

}  // namespace

void* dlopen(const char* path, int flags) noexcept {
  if (depends_on_caller(path, __builtin_return_address(0))) {
    // Called from here it would look elsewhere; the compiler makes this a jump, which is still the caller's. A later call
    // of a coroutine replaces what it has loaded.
    mark_new_objects();
    return ::dlopen(path, flags);
  }
  void* handle = nullptr;
  if (Scheduler* scheduler = suspendable_scheduler()) {
    // Constructors run under the loader's lock.
    const Scheduler::NoSuspend guard(*scheduler, "dlopen");
    handle = ::dlopen(path, flags);
  } else {
    handle = ::dlopen(path, flags);
  }
  const ErrnoGuard kept;
  if (handle) patch_new_objects();
  kept.restore();
  return handle;
}

}  // namespace trueasync::detail::interpose::calls
