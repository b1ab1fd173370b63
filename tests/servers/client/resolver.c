/* The program's getaddrinfo. The environment variable TRUEASYNC_TEST_ADDRESSES lists the addresses of "several.test" in
 * order, separated by commas; the C library resolves every other name. /etc/hosts cannot replace this: it belongs to the
 * machine, and the C library reorders its addresses (RFC 6724). */
#include <dlfcn.h>
#include <netdb.h>
#include <stdlib.h>
#include <string.h>

#define SEVERAL_HOST "several.test"
#define SEVERAL_ADDRESSES "TRUEASYNC_TEST_ADDRESSES"

enum { ADDRESS_MAX = 64 };

typedef int (*resolver)(const char*, const char*, const struct addrinfo*, struct addrinfo**);

static resolver next_resolver(void) {
  resolver found = NULL;
  void* symbol = dlsym(RTLD_NEXT, "getaddrinfo");
  memcpy(&found, &symbol, sizeof found); /* C has no cast from an object pointer to a function pointer */
  return found;
}

/* freeaddrinfo() of glibc frees each element separately, so lists can be joined. */
int getaddrinfo(const char* host, const char* service, const struct addrinfo* hints, struct addrinfo** result) {
  const resolver next = next_resolver();
  const char* rest = getenv(SEVERAL_ADDRESSES);
  struct addrinfo** end = result;
  if (!host || strcmp(host, SEVERAL_HOST) != 0) return next(host, service, hints, result);
  if (!rest) return EAI_NONAME;
  *result = NULL;
  while (*rest) {
    const size_t length = strcspn(rest, ",");
    char address[ADDRESS_MAX] = "";
    int code = EAI_OVERFLOW;
    if (length < sizeof address) {
      memcpy(address, rest, length);
      code = next(address, service, hints, end);
    }
    if (code != 0) {
      if (*result) freeaddrinfo(*result);
      return code;
    }
    while (*end) end = &(*end)->ai_next;
    rest += length + (rest[length] == ',');
  }
  return *result ? 0 : EAI_NONAME;
}
