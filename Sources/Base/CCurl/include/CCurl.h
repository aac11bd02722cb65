/// What CurlHTTP needs of libcurl, in plain C types.
///
/// Linking libcurl would add some 25 shared libraries and 4 ms to the start of a program that may never use the
/// network, so it is loaded by ccurl_load when it is first needed; nothing else here may be called before that has
/// succeeded. The setters of libcurl take variable arguments, which Swift cannot call; every function here is one call
/// of libcurl with its arguments spelled out.
#ifndef ATELIER_CCURL_H
#define ATELIER_CCURL_H

#include <curl/curl.h>
#include <linux/sockios.h>
#include <stdbool.h>
#include <stddef.h>
/* What Swift's module of the C library leaves out, and the transfer thread waits with. */
#include <sys/epoll.h>

/// Loads libcurl and prepares it for use by any thread; once loaded it stays, and further calls do nothing.
/// Returns NULL, or why it cannot be used: a text that stays valid.
const char *ccurl_load(void);
/// Whether TLS is OpenSSL's.
bool ccurl_uses_openssl(void);

CURL *ccurl_easy_init(void);
void ccurl_easy_reset(CURL *easy);
void ccurl_easy_cleanup(CURL *easy);
/// libcurl's fixed sentence for a code; it holds nothing of the transfer.
const char *ccurl_sentence(CURLcode code);

CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value);
CURLcode ccurl_set_offset(CURL *easy, CURLoption option, curl_off_t value);
/// libcurl copies the text; NULL sets the option back.
CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value);
/// The list must stay until the transfer has ended.
CURLcode ccurl_set_list(CURL *easy, CURLoption option, struct curl_slist *list);

typedef struct {
  curl_write_callback header;
  curl_write_callback write;
  curl_read_callback read;
  curl_xferinfo_callback progress;
  curl_prereq_callback connected;
  curl_opensocket_callback open_socket;
  curl_closesocket_callback close_socket;
} ccurl_callbacks;

/// Every callback is given `context`, except close_socket, which is given NULL: a connection outlives its transfer.
CURLcode ccurl_set_callbacks(CURL *easy, const ccurl_callbacks *callbacks, void *context);

CURLcode ccurl_get_long(CURL *easy, CURLINFO info, long *value);
CURLcode ccurl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value);
/// The text stays libcurl's own.
CURLcode ccurl_get_text(CURL *easy, CURLINFO info, const char **value);

/// `directions` is made of CURLPAUSE_ constants.
CURLcode ccurl_easy_pause(CURL *easy, int directions);

/// Appends a copy of the text. Returns the list, or NULL when there is no memory; the given list is then unchanged.
struct curl_slist *ccurl_list_append(struct curl_slist *list, const char *text);
void ccurl_list_free(struct curl_slist *list);

CURLM *ccurl_multi_init(void);
CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value);
CURLMcode ccurl_multi_set_callbacks(
    CURLM *multi, curl_socket_callback socket, curl_multi_timer_callback timer, void *context);
CURLMcode ccurl_multi_add(CURLM *multi, CURL *easy);
CURLMcode ccurl_multi_remove(CURLM *multi, CURL *easy);
CURLMcode ccurl_multi_socket_action(CURLM *multi, curl_socket_t socket, int events, int *running);
/// Gives the next transfer that has ended, and how. Returns false when there is none.
bool ccurl_multi_next_ended(CURLM *multi, CURL **easy, CURLcode *code);
CURLMcode ccurl_multi_cleanup(CURLM *multi);

CURLU *ccurl_url(void);
void ccurl_url_cleanup(CURLU *url);
CURLUcode ccurl_url_set(CURLU *url, CURLUPart part, const char *text, unsigned int flags);
/// The text is released with ccurl_free.
CURLUcode ccurl_url_get(CURLU *url, CURLUPart part, char **text, unsigned int flags);
void ccurl_free(void *memory);

#endif
