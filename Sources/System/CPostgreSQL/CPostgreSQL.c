#include "CPostgreSQL.h"

#include <dlfcn.h>
#include <pthread.h>

#define FUNCTIONS(each)                                                                            \
    each(PQconnectdb) each(PQfinish) each(PQstatus) each(PQerrorMessage) each(PQexec)              \
        each(PQexecParams) each(PQresultStatus) each(PQresultErrorField) each(PQntuples)           \
            each(PQnfields) each(PQftype) each(PQgetvalue) each(PQgetlength) each(PQgetisnull)     \
                each(PQcmdTuples) each(PQclear) each(PQsocket) each(PQconsumeInput)                \
                    each(PQnotifies) each(PQfreemem) each(PQtransactionStatus)                     \
                        each(PQsetNoticeReceiver) each(PQconninfoParse) each(PQconninfoFree)       \
                            each(PQserverVersion)

static struct {
#define POINTER(name) __typeof__(&name) name;
    FUNCTIONS(POINTER)
} real;

static const char *problem;

static void load(void)
{
    void *library = dlopen("libpq.so.5", RTLD_LAZY | RTLD_LOCAL);
#define FIND(name)                                                                                 \
    if (library && !(real.name = (__typeof__(real.name))dlsym(library, #name))) library = NULL;
    FUNCTIONS(FIND)
    if (!library) problem = dlerror();
    if (!library && !problem) problem = "libpq.so.5 can't be loaded";
}

int copystand_postgresql_load(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return problem ? -1 : 0;
}

const char *copystand_postgresql_problem(void) { return problem; }

static void drop(void *context, const PGresult *notice) { (void)context, (void)notice; }

void copystand_postgresql_be_quiet(PGconn *connection)
{ real.PQsetNoticeReceiver(connection, drop, NULL); }

PGconn *PQconnectdb(const char *address) { return real.PQconnectdb(address); }
void PQfinish(PGconn *connection) { real.PQfinish(connection); }
ConnStatusType PQstatus(const PGconn *connection) { return real.PQstatus(connection); }
char *PQerrorMessage(const PGconn *connection) { return real.PQerrorMessage(connection); }
int PQserverVersion(const PGconn *connection) { return real.PQserverVersion(connection); }
PGresult *PQexec(PGconn *connection, const char *text) { return real.PQexec(connection, text); }

PGresult *PQexecParams(PGconn *connection, const char *text, int count, const Oid *types,
    const char *const *values, const int *lengths, const int *formats, int format)
{
    return real.PQexecParams(connection, text, count, types, values, lengths, formats, format);
}

ExecStatusType PQresultStatus(const PGresult *result) { return real.PQresultStatus(result); }
char *PQresultErrorField(const PGresult *result, int field)
{ return real.PQresultErrorField(result, field); }
int PQntuples(const PGresult *result) { return real.PQntuples(result); }
int PQnfields(const PGresult *result) { return real.PQnfields(result); }
Oid PQftype(const PGresult *result, int column) { return real.PQftype(result, column); }
char *PQgetvalue(const PGresult *result, int row, int column)
{ return real.PQgetvalue(result, row, column); }
int PQgetlength(const PGresult *result, int row, int column)
{ return real.PQgetlength(result, row, column); }
int PQgetisnull(const PGresult *result, int row, int column)
{ return real.PQgetisnull(result, row, column); }
char *PQcmdTuples(PGresult *result) { return real.PQcmdTuples(result); }
void PQclear(PGresult *result) { real.PQclear(result); }

int PQsocket(const PGconn *connection) { return real.PQsocket(connection); }
int PQconsumeInput(PGconn *connection) { return real.PQconsumeInput(connection); }
PGnotify *PQnotifies(PGconn *connection) { return real.PQnotifies(connection); }
void PQfreemem(void *memory) { real.PQfreemem(memory); }
PGTransactionStatusType PQtransactionStatus(const PGconn *connection)
{ return real.PQtransactionStatus(connection); }

PQconninfoOption *PQconninfoParse(const char *address, char **message)
{ return real.PQconninfoParse(address, message); }
void PQconninfoFree(PQconninfoOption *options) { real.PQconninfoFree(options); }
