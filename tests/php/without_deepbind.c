// Preloaded before ASan. PHP opens its extensions with RTLD_DEEPBIND, which ASan does not support; this wrapper removes
// the flag.
#define _GNU_SOURCE
#include <dlfcn.h>

void* dlopen(const char* file, int mode) {
  void* (*next)(const char*, int) = (void* (*)(const char*, int))dlsym(RTLD_NEXT, "dlopen");
  return next(file, mode & ~RTLD_DEEPBIND);
}
