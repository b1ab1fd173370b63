#include "addresses.h"

#include <netdb.h>
#include <stdlib.h>
#include <sys/socket.h>

static ta_status to_text(const ta_address* address, char* text, ta_error* error) {
  const int code = getnameinfo((const struct sockaddr*)address->storage.bytes, address->length, text,
                               PG_ADDRESS_TEXT_MAX, NULL, 0, NI_NUMERICHOST);
  return code == 0 ? TA_OK : ta_fail(error, TA_DNS, code, gai_strerror(code));
}

static ta_status copy_addresses(ta_lookup* lookup, struct pg_addresses* found, ta_error* error) {
  ta_address* all = NULL;
  size_t count = 0;
  ta_status status = ta.reactor->lookup_addresses(lookup, NULL, 0, &count, error);
  if (status != TA_OK) return status;
  all = calloc(count, sizeof *all);
  found->texts = calloc(count, sizeof *found->texts);
  status = all && found->texts ? ta.reactor->lookup_addresses(lookup, all, count, &count, error)
                               : ta_fail(error, TA_NO_MEMORY, 0, "cannot allocate the addresses of a server");
  for (; status == TA_OK && found->count < count; ++found->count) {
    status = to_text(&all[found->count], found->texts[found->count], error);
  }
  free(all);
  return status;
}

ta_status pg_look_up(const char* host, int64_t deadline, struct pg_addresses* found, ta_error* error) {
  ta_lookup* lookup = NULL;
  ta_status status = ta.reactor->lookup_create(host, NULL, TA_FAMILY_ANY, &lookup, error);
  if (status != TA_OK) return status;
  status = ta.event->wait(ta.reactor->lookup_event(lookup), ta_remaining_until(&ta, deadline), NULL, TA_HERE, error);
  if (status == TA_OK) status = copy_addresses(lookup, found, error);
  ta.reactor->lookup_destroy(lookup);
  return status;
}

void pg_free_addresses(struct pg_addresses* addresses) { free(addresses->texts); }

size_t pg_index_of(const struct pg_addresses* addresses, const char* text) {
  size_t index = 0;
  while (index < addresses->count && strcmp(addresses->texts[index], text) != 0) ++index;
  return index;
}

void pg_remove_address(struct pg_addresses* addresses, const char* text) {
  const size_t index = pg_index_of(addresses, text);
  if (index == addresses->count) return;
  --addresses->count;
  memmove(addresses->texts[index], addresses->texts[index + 1],
          (addresses->count - index) * sizeof addresses->texts[0]);
}

char* pg_join(const char* texts, size_t stride, size_t count) {
  size_t size = 1;
  char* joined = NULL;
  char* end = NULL;
  for (size_t i = 0; i < count; ++i) size += strlen(texts + i * stride) + 1;
  joined = end = malloc(size);
  if (!joined) return NULL;
  *end = 0;
  for (size_t i = 0; i < count; ++i) {
    if (i) *end++ = ',';
    end = stpcpy(end, texts + i * stride);
  }
  return joined;
}
