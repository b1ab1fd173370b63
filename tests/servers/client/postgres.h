/* The PostgreSQL driver's own, for the check of manners. */
#ifndef TRUEASYNC_TESTS_POSTGRES_H
#define TRUEASYNC_TESTS_POSTGRES_H

#include "trueasync_postgres.h"

extern const ta_pg_table* pg;
extern ta_pg* database;

ta_status check_postgres_manners(ta_error* error);

#endif
