#include <dlfcn.h>
#include <link.h>

#include <cstring>

#include "interpose/call_context.hpp"
#include "interpose/calls.hpp"
#include "interpose/import_patcher.hpp"

namespace trueasync::detail::interpose::calls {

namespace {

// The loader resolves a bare name and $ORIGIN by the search path of the object that calls dlopen().
bool has_search_path(const void* return_address) noexcept {
  Dl_info info = {};
  link_map* object = nullptr;
  if (::dladdr1(return_address, &info, reinterpret_cast<void**>(&object), RTLD_DL_LINKMAP) == 0 || !object) return true;
  for (const ElfW(Dyn)* entry = object->l_ld; entry && entry->d_tag != DT_NULL; ++entry) {
    if (entry->d_tag == DT_RUNPATH || entry->d_tag == DT_RPATH) return true;
  }
  return false;
}

bool depends_on_caller(const char* path, const void* return_address) noexcept {
  if (!path) return false;
  return std::strchr(path, '$') || (!std::strchr(path, '/') && has_search_path(return_address));
}

}  // namespace

void* dlopen(const char* path, int flags) noexcept {
  if (depends_on_caller(path, __builtin_return_address(0))) {
    // A call from this object would use the wrong search path. The tail call keeps the caller's return address, but
    // leaves no chance to patch afterwards: the next replaced call of a coroutine patches the new objects.
    mark_new_objects();
    return ::dlopen(path, flags);
  }
  void* handle = nullptr;
  if (Scheduler* scheduler = suspendable_scheduler()) {
    // Constructors run while the loader's lock is held.
    const Scheduler::NoSuspend guard(*scheduler, "dlopen");
    handle = ::dlopen(path, flags);
  } else {
    handle = ::dlopen(path, flags);
  }
  const ErrnoGuard errno_guard;
  if (handle) patch_new_objects();
  errno_guard.restore();
  return handle;
}

}  // namespace trueasync::detail::interpose::calls
