/* Shared by the PostgreSQL driver and its contract check. */
#ifndef TRUEASYNC_TESTS_POSTGRES_H
#define TRUEASYNC_TESTS_POSTGRES_H

#include "trueasync_postgres.h"

extern const ta_pg_table* pg;
extern ta_pg* database;

ta_status check_postgres_contract(ta_error* error);

#endif
