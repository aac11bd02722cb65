#include "CCurl.h"

#include <dlfcn.h>
#include <pthread.h>

/* The functions of libcurl used here, each under the name it has without "curl_". */
#define FUNCTIONS(one)                                                                                                \
  one(global_init) one(easy_init) one(easy_reset) one(easy_cleanup) one(easy_strerror) one(easy_setopt)               \
  one(easy_getinfo) one(easy_pause) one(slist_append) one(slist_free_all) one(multi_init) one(multi_setopt)           \
  one(multi_add_handle) one(multi_remove_handle) one(multi_socket_action) one(multi_info_read)                        \
  one(multi_cleanup) one(url) one(url_cleanup) one(url_set) one(url_get) one(free)

/* The headers wrap some of these names in macros that check types; __typeof__ needs the plain functions. */
#undef curl_easy_setopt
#undef curl_easy_getinfo
#undef curl_multi_setopt

#define POINTER(name) __typeof__(curl_##name) *name;
static struct { FUNCTIONS(POINTER) } libcurl;
static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;
static bool is_loaded;
static bool uses_openssl;

/* OpenSSL's own name and value, whose headers are not needed otherwise. */
#define OPENSSL_INIT_NO_ATEXIT 0x00080000L
typedef int (*openssl_init)(unsigned long long options, const void *settings);

static const char *find_functions(void *library) {
#define FIND(name)                                                                                                    \
  *(void **)&libcurl.name = dlsym(library, "curl_" #name);                                                            \
  if (libcurl.name == NULL) return "libcurl lacks curl_" #name;
  FUNCTIONS(FIND)
  return NULL;
}

static const char *load(void) {
  if (is_loaded) return NULL;
  void *library = dlopen("libcurl.so.4", RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) library = dlopen("libcurl-gnutls.so.4", RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL) return "libcurl.so.4 is not installed";
  const char *failure = find_functions(library);
  if (failure != NULL) return failure;
  /* OpenSSL would free its tables when the process exits, under the hands of a thread that still uses them. */
  openssl_init init = (openssl_init)dlsym(library, "OPENSSL_init_crypto");
  if (init != NULL) init(OPENSSL_INIT_NO_ATEXIT, NULL);
  uses_openssl = init != NULL && dlsym(library, "SSL_CTX_new") != NULL;
  if (libcurl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK) return "libcurl cannot be initialised";
  is_loaded = true;
  return NULL;
}

const char *ccurl_load(void) {
  pthread_mutex_lock(&loading);
  const char *failure = load();
  pthread_mutex_unlock(&loading);
  return failure;
}

bool ccurl_uses_openssl(void) { return uses_openssl; }

CURL *ccurl_easy_init(void) { return libcurl.easy_init(); }
void ccurl_easy_reset(CURL *easy) { libcurl.easy_reset(easy); }
void ccurl_easy_cleanup(CURL *easy) { libcurl.easy_cleanup(easy); }
const char *ccurl_sentence(CURLcode code) { return libcurl.easy_strerror(code); }

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) { return libcurl.easy_setopt(easy, option, value); }
CURLcode ccurl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
  return libcurl.easy_setopt(easy, option, value);
}
CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value) {
  return libcurl.easy_setopt(easy, option, value);
}
CURLcode ccurl_set_list(CURL *easy, CURLoption option, struct curl_slist *list) {
  return libcurl.easy_setopt(easy, option, list);
}

CURLcode ccurl_set_callbacks(CURL *easy, const ccurl_callbacks *callbacks, void *context) {
#define SET(option, value)                                                                                            \
  do {                                                                                                                \
    CURLcode code = libcurl.easy_setopt(easy, option, value);                                                         \
    if (code != CURLE_OK) return code;                                                                                \
  } while (0)
  SET(CURLOPT_HEADERFUNCTION, callbacks->header);
  SET(CURLOPT_HEADERDATA, context);
  SET(CURLOPT_WRITEFUNCTION, callbacks->write);
  SET(CURLOPT_WRITEDATA, context);
  SET(CURLOPT_READFUNCTION, callbacks->read);
  SET(CURLOPT_READDATA, context);
  SET(CURLOPT_XFERINFOFUNCTION, callbacks->progress);
  SET(CURLOPT_XFERINFODATA, context);
  SET(CURLOPT_PREREQFUNCTION, callbacks->connected);
  SET(CURLOPT_PREREQDATA, context);
  SET(CURLOPT_OPENSOCKETFUNCTION, callbacks->open_socket);
  SET(CURLOPT_OPENSOCKETDATA, context);
  SET(CURLOPT_CLOSESOCKETFUNCTION, callbacks->close_socket);
  SET(CURLOPT_CLOSESOCKETDATA, NULL);
  return CURLE_OK;
}

CURLcode ccurl_get_long(CURL *easy, CURLINFO info, long *value) { return libcurl.easy_getinfo(easy, info, value); }
CURLcode ccurl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
  return libcurl.easy_getinfo(easy, info, value);
}
CURLcode ccurl_easy_pause(CURL *easy, int directions) { return libcurl.easy_pause(easy, directions); }

CURLcode ccurl_get_text(CURL *easy, CURLINFO info, const char **value) {
  return libcurl.easy_getinfo(easy, info, value);
}

struct curl_slist *ccurl_list_append(struct curl_slist *list, const char *text) {
  return libcurl.slist_append(list, text);
}
void ccurl_list_free(struct curl_slist *list) { libcurl.slist_free_all(list); }

CURLM *ccurl_multi_init(void) { return libcurl.multi_init(); }
CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return libcurl.multi_setopt(multi, option, value);
}

CURLMcode ccurl_multi_set_callbacks(
    CURLM *multi, curl_socket_callback socket, curl_multi_timer_callback timer, void *context) {
  CURLMcode code = libcurl.multi_setopt(multi, CURLMOPT_SOCKETFUNCTION, socket);
  if (code == CURLM_OK) code = libcurl.multi_setopt(multi, CURLMOPT_SOCKETDATA, context);
  if (code == CURLM_OK) code = libcurl.multi_setopt(multi, CURLMOPT_TIMERFUNCTION, timer);
  if (code == CURLM_OK) code = libcurl.multi_setopt(multi, CURLMOPT_TIMERDATA, context);
  return code;
}

CURLMcode ccurl_multi_add(CURLM *multi, CURL *easy) { return libcurl.multi_add_handle(multi, easy); }
CURLMcode ccurl_multi_remove(CURLM *multi, CURL *easy) { return libcurl.multi_remove_handle(multi, easy); }
CURLMcode ccurl_multi_socket_action(CURLM *multi, curl_socket_t socket, int events, int *running) {
  return libcurl.multi_socket_action(multi, socket, events, running);
}

bool ccurl_multi_next_ended(CURLM *multi, CURL **easy, CURLcode *code) {
  int left;
  CURLMsg *message;
  while ((message = libcurl.multi_info_read(multi, &left)) != NULL) {
    if (message->msg != CURLMSG_DONE) continue;
    *easy = message->easy_handle;
    *code = message->data.result;
    return true;
  }
  return false;
}

CURLMcode ccurl_multi_cleanup(CURLM *multi) { return libcurl.multi_cleanup(multi); }

CURLU *ccurl_url(void) { return libcurl.url(); }
void ccurl_url_cleanup(CURLU *url) { libcurl.url_cleanup(url); }
CURLUcode ccurl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned int flags) {
  return libcurl.url_set(url, part, text, flags);
}
CURLUcode ccurl_url_get(CURLU *url, CURLUPart part, char **text, unsigned int flags) {
  return libcurl.url_get(url, part, text, flags);
}
void ccurl_free(void *memory) { libcurl.free(memory); }
