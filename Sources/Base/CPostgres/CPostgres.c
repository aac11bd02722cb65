#include "CPostgres.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

/* The functions of libpq used here, each under the name it has without "PQ". */
#define FUNCTIONS(one)                                                                                                \
  one(int, libVersion, (void))                                                                                        \
  one(PGconn *, connectStartParams, (const char *const *keys, const char *const *values, int expand))                  \
  one(int, connectPoll, (PGconn *))                                                                                   \
  one(int, setErrorVerbosity, (PGconn *, int))                                                                        \
  one(void, finish, (PGconn *))                                                                                       \
  one(int, status, (const PGconn *))                                                                                  \
  one(char *, errorMessage, (const PGconn *))                                                                         \
  one(int, backendPID, (const PGconn *))                                                                              \
  one(int, serverVersion, (const PGconn *))                                                                           \
  one(int, socket, (const PGconn *))                                                                                  \
  one(int, sslInUse, (PGconn *))                                                                                      \
  one(void *, setNoticeReceiver, (PGconn *, void (*)(void *, const PGresult *), void *))                               \
  one(int, setnonblocking, (PGconn *, int))                                                                           \
  one(int, enterPipelineMode, (PGconn *))                                                                             \
  one(int, sendPrepare, (PGconn *, const char *, const char *, int, const unsigned *))                                 \
  one(int, sendQueryPrepared,                                                                                         \
      (PGconn *, const char *, int, const char *const *, const int *, const int *, int))                               \
  one(int, pipelineSync, (PGconn *))                                                                                  \
  one(int, flush, (PGconn *))                                                                                         \
  one(int, consumeInput, (PGconn *))                                                                                  \
  one(int, isBusy, (PGconn *))                                                                                        \
  one(PGresult *, getResult, (PGconn *))                                                                              \
  one(void, clear, (PGresult *))                                                                                      \
  one(int, resultStatus, (const PGresult *))                                                                          \
  one(char *, resultErrorField, (const PGresult *, int))                                                              \
  one(int, ntuples, (const PGresult *))                                                                               \
  one(int, nfields, (const PGresult *))                                                                               \
  one(char *, fname, (const PGresult *, int))                                                                         \
  one(unsigned, ftype, (const PGresult *, int))                                                                       \
  one(int, getisnull, (const PGresult *, int, int))                                                                   \
  one(int, getlength, (const PGresult *, int, int))                                                                   \
  one(char *, getvalue, (const PGresult *, int, int))                                                                 \
  one(char *, cmdTuples, (PGresult *))

#define POINTER(type, name, parameters) type(*name) parameters;
static struct { FUNCTIONS(POINTER) } libpq;
static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;
static bool is_loaded;

/* OpenSSL's own name and value, whose headers are not needed otherwise. */
#define OPENSSL_INIT_NO_ATEXIT 0x00080000L
typedef int (*openssl_init)(unsigned long long options, const void *settings);

static const char *find_functions(void *library) {
#define FIND(type, name, parameters)                                                                                  \
  *(void **)&libpq.name = dlsym(library, "PQ" #name);                                                                 \
  if (libpq.name == NULL) return "libpq is older than version 14: it lacks PQ" #name;
  FUNCTIONS(FIND)
  return NULL;
}

static const char *load(void) {
  if (is_loaded) return NULL;
  void *library = dlopen("libpq.so.5", RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) return "libpq.so.5 is not installed";
  const char *failure = find_functions(library);
  if (failure != NULL) return failure;
  if (libpq.libVersion() < CPOSTGRES_OLDEST_VERSION) return "libpq is older than version 14";
  /* OpenSSL would free its tables when the process exits, under the hands of a thread that still uses them. */
  openssl_init init = (openssl_init)dlsym(library, "OPENSSL_init_crypto");
  if (init != NULL) init(OPENSSL_INIT_NO_ATEXIT, NULL);
  is_loaded = true;
  return NULL;
}

const char *cpostgres_load(void) {
  pthread_mutex_lock(&loading);
  const char *failure = load();
  pthread_mutex_unlock(&loading);
  return failure;
}

int cpostgres_version(void) { return libpq.libVersion(); }

/* PGVerbosity: with the code of each error, which a connection that is being made tells in no other way. */
#define ERRORS_VERBOSE 2

PGconn *cpostgres_connect(const char *const *keys, const char *const *values) {
  PGconn *connection = libpq.connectStartParams(keys, values, 0);
  if (connection != NULL) libpq.setErrorVerbosity(connection, ERRORS_VERBOSE);
  return connection;
}
int cpostgres_go_on_connecting(PGconn *connection) { return libpq.connectPoll(connection); }
void cpostgres_finish(PGconn *connection) { libpq.finish(connection); }
int cpostgres_status(const PGconn *connection) { return libpq.status(connection); }
const char *cpostgres_error(const PGconn *connection) { return libpq.errorMessage(connection); }
int cpostgres_backend(const PGconn *connection) { return libpq.backendPID(connection); }
int cpostgres_server_version(const PGconn *connection) { return libpq.serverVersion(connection); }
int cpostgres_socket(const PGconn *connection) { return libpq.socket(connection); }
bool cpostgres_is_encrypted(const PGconn *connection) { return libpq.sslInUse((PGconn *)connection) != 0; }
void cpostgres_receive_notices(PGconn *connection, void (*receiver)(void *, const PGresult *), void *context) {
  libpq.setNoticeReceiver(connection, receiver, context);
}

bool cpostgres_begin_pipelines(PGconn *connection) {
  return libpq.setnonblocking(connection, 1) == 0 && libpq.enterPipelineMode(connection) == 1;
}
bool cpostgres_send_prepare(PGconn *connection, const char *name, const char *text) {
  return libpq.sendPrepare(connection, name, text, 0, NULL) == 1;
}
bool cpostgres_send(
    PGconn *connection, const char *name, int count, const char *const *values, const int *lengths, const int *formats) {
  /* Answers are binary. */
  return libpq.sendQueryPrepared(connection, name, count, values, lengths, formats, 1) == 1;
}
bool cpostgres_sync(PGconn *connection) { return libpq.pipelineSync(connection) == 1; }
int cpostgres_flush(PGconn *connection) { return libpq.flush(connection); }
bool cpostgres_consume(PGconn *connection) { return libpq.consumeInput(connection) == 1; }
bool cpostgres_is_busy(PGconn *connection) { return libpq.isBusy(connection) == 1; }

PGresult *cpostgres_result(PGconn *connection) { return libpq.getResult(connection); }
void cpostgres_clear(PGresult *result) { libpq.clear(result); }
int cpostgres_result_status(const PGresult *result) { return libpq.resultStatus(result); }
const char *cpostgres_result_field(const PGresult *result, int field) { return libpq.resultErrorField(result, field); }
int cpostgres_rows(const PGresult *result) { return libpq.ntuples(result); }
int cpostgres_columns(const PGresult *result) { return libpq.nfields(result); }
const char *cpostgres_column_name(const PGresult *result, int column) { return libpq.fname(result, column); }
unsigned cpostgres_column_type(const PGresult *result, int column) { return libpq.ftype(result, column); }
bool cpostgres_is_null(const PGresult *result, int row, int column) { return libpq.getisnull(result, row, column) == 1; }
int cpostgres_length(const PGresult *result, int row, int column) { return libpq.getlength(result, row, column); }
const char *cpostgres_value(const PGresult *result, int row, int column) { return libpq.getvalue(result, row, column); }
const char *cpostgres_changes(PGresult *result) { return libpq.cmdTuples(result); }
