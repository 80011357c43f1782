#pragma once
/* The functions of libpq that the archive uses. The library is loaded when it is first needed,
   since it brings TLS, Kerberos and LDAP. */
#include <postgresql/libpq-fe.h>

/* Loads libpq; 0 when this succeeds. Must be called before every other function, and may be
   called often and from several threads. */
int copystand_postgresql_load(void);

/* The reason why libpq could not be loaded; NULL when it was. */
const char *copystand_postgresql_problem(void);

/* Drops the server's notices instead of printing them. */
void copystand_postgresql_be_quiet(PGconn *connection);
