/* The addresses of a server's name, for libpq: it tries the addresses of a list in order. */
#ifndef TRUEASYNC_PG_ADDRESSES_H
#define TRUEASYNC_PG_ADDRESSES_H

#include "connection.h"

enum { PG_ADDRESS_TEXT_MAX = 64 };

struct pg_addresses {
  size_t count;
  char (*texts)[PG_ADDRESS_TEXT_MAX]; /* numeric */
};

/* Finds every address of the name, in the resolver's order. pg_free_addresses() must follow, also after a failure. */
ta_status pg_look_up(const char* host, int64_t deadline, struct pg_addresses* found, ta_error* error);
void pg_free_addresses(struct pg_addresses* addresses);

/* `count` if the address is not in the list. */
size_t pg_index_of(const struct pg_addresses* addresses, const char* text);
void pg_remove_address(struct pg_addresses* addresses, const char* text);

/* Joins `count` texts with commas. The texts are `stride` bytes apart; 0: the same text `count` times.
 * Ownership: the caller frees the result. NULL: no memory. */
char* pg_join(const char* texts, size_t stride, size_t count);

#endif
