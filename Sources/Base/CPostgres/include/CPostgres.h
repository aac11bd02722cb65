/// What the store needs of libpq, PostgreSQL's client library.
///
/// Linking libpq would add some 24 shared libraries to every start of a program that may never see a PostgreSQL server, so
/// it is loaded by cpostgres_load when a store first needs it; nothing else here may be called before that has succeeded.
/// The declarations are this project's own: libpq's interface is stable since version 14, so that neither its headers nor
/// the library are needed to build.
#ifndef ATELIER_CPOSTGRES_H
#define ATELIER_CPOSTGRES_H

#include <stdbool.h>

typedef struct pg_conn PGconn;
typedef struct pg_result PGresult;

/// ConnStatusType.
enum { CPOSTGRES_CONNECTION_BAD = 1 };

/// PostgresPollingStatusType.
enum { CPOSTGRES_CONNECTING_FAILED = 0, CPOSTGRES_CONNECTING_READS = 1, CPOSTGRES_CONNECTING_WRITES = 2,
       CPOSTGRES_CONNECTED = 3 };

/// ExecStatusType, as far as a pipeline of prepared statements answers with it.
enum {
  CPOSTGRES_COMMAND_OK = 1,
  CPOSTGRES_TUPLES_OK = 2,
  CPOSTGRES_FATAL_ERROR = 7,
  CPOSTGRES_PIPELINE_SYNC = 10,
  CPOSTGRES_PIPELINE_ABORTED = 11,
};

/// Fields of an error: PG_DIAG_SQLSTATE and PG_DIAG_MESSAGE_PRIMARY.
enum { CPOSTGRES_FIELD_STATE = 'C', CPOSTGRES_FIELD_MESSAGE = 'M', CPOSTGRES_FIELD_FUNCTION = 'R' };

/// The oldest libpq with pipelines, as PQlibVersion counts.
enum { CPOSTGRES_OLDEST_VERSION = 140000 };

/// Loads libpq for use by any thread, each connection by one at a time; once loaded it stays, and further calls do nothing.
/// Returns NULL, or why it cannot be used: a text that stays valid.
const char *cpostgres_load(void);
/// As PQlibVersion counts: 150020 is 15.20.
int cpostgres_version(void);

/// Begins to connect. Keys and values end with NULL. NULL only without memory.
PGconn *cpostgres_connect(const char *const *keys, const char *const *values);
/// Goes on with it, without waiting; called again when the socket, which may be another one each time, can be read or
/// written, as it says.
int cpostgres_go_on_connecting(PGconn *connection);
void cpostgres_finish(PGconn *connection);
int cpostgres_status(const PGconn *connection);
/// libpq's own words. May hold what the connection was asked for, the password included, before it is established. What the
/// server has said stands there as SEVERITY, colon, two spaces, the five signs of its code, colon, space, its words.
const char *cpostgres_error(const PGconn *connection);
/// The number of the server's process as it was told when the connection was made.
int cpostgres_backend(const PGconn *connection);
int cpostgres_server_version(const PGconn *connection);
int cpostgres_socket(const PGconn *connection);
/// Whether TLS is in use.
bool cpostgres_is_encrypted(const PGconn *connection);
/// Calls `receiver` with each notice of the server.
void cpostgres_receive_notices(PGconn *connection, void (*receiver)(void *context, const PGresult *notice), void *context);

/// Makes the connection non-blocking and enters its pipeline mode, in which it stays. Returns false when it cannot.
bool cpostgres_begin_pipelines(PGconn *connection);
/// Each returns false when the connection is lost.
bool cpostgres_send_prepare(PGconn *connection, const char *name, const char *text);
bool cpostgres_send(
    PGconn *connection, const char *name, int count, const char *const *values, const int *lengths, const int *formats);
bool cpostgres_sync(PGconn *connection);
/// Returns 0 when all is sent, 1 when the socket takes no more at present, -1 when the connection is lost.
int cpostgres_flush(PGconn *connection);
bool cpostgres_consume(PGconn *connection);
bool cpostgres_is_busy(PGconn *connection);

PGresult *cpostgres_result(PGconn *connection);
void cpostgres_clear(PGresult *result);
int cpostgres_result_status(const PGresult *result);
const char *cpostgres_result_field(const PGresult *result, int field);
int cpostgres_rows(const PGresult *result);
int cpostgres_columns(const PGresult *result);
const char *cpostgres_column_name(const PGresult *result, int column);
unsigned cpostgres_column_type(const PGresult *result, int column);
bool cpostgres_is_null(const PGresult *result, int row, int column);
int cpostgres_length(const PGresult *result, int row, int column);
const char *cpostgres_value(const PGresult *result, int row, int column);
/// How many rows a statement has changed, as a decimal number; empty for another statement.
const char *cpostgres_changes(PGresult *result);

#endif
