/// The files of the pages, as read-only data.
#ifndef CWEBPAGES_H
#define CWEBPAGES_H

#include <stddef.h>

/// A file and its bytes, from `begin` to before `end`; they live as long as the process and never change.
typedef struct {
  const char *_Nonnull name;
  const unsigned char *_Nonnull begin;
  const unsigned char *_Nonnull end;
} web_page;

extern const web_page web_pages_begin[];
extern const web_page web_pages_end[];

static inline const web_page *_Nonnull web_pages(void) { return web_pages_begin; }
static inline size_t web_pages_count(void) { return (size_t)(web_pages_end - web_pages_begin); }

#endif
