// Preloaded before ASan, which refuses to work when a shared object is opened with RTLD_DEEPBIND. PHP opens its
// extensions that way.
#define _GNU_SOURCE
#include <dlfcn.h>

void* dlopen(const char* file, int mode) {
  void* (*next)(const char*, int) = (void* (*)(const char*, int))dlsym(RTLD_NEXT, "dlopen");
  return next(file, mode & ~RTLD_DEEPBIND);
}
