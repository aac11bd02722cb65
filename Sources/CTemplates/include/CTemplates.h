/// The hairstyles of the library, embedded in the binary as read-only data: JSON in the format of the operator's files, a
/// file a category.
#ifndef CTEMPLATES_H
#define CTEMPLATES_H

#include <stddef.h>

/// A file's bytes; they live as long as the process and never change.
typedef struct {
  const unsigned char *_Nonnull bytes;
  size_t size;
} ctemplates_file;

extern const unsigned char ctemplates_short_begin[];
extern const unsigned char ctemplates_short_end[];
extern const unsigned char ctemplates_medium_begin[];
extern const unsigned char ctemplates_medium_end[];
extern const unsigned char ctemplates_long_begin[];
extern const unsigned char ctemplates_long_end[];
extern const unsigned char ctemplates_curly_begin[];
extern const unsigned char ctemplates_curly_end[];
extern const unsigned char ctemplates_updo_begin[];
extern const unsigned char ctemplates_updo_end[];
extern const unsigned char ctemplates_braids_begin[];
extern const unsigned char ctemplates_braids_end[];
extern const unsigned char ctemplates_color_begin[];
extern const unsigned char ctemplates_color_end[];
extern const unsigned char ctemplates_trendy_begin[];
extern const unsigned char ctemplates_trendy_end[];
extern const unsigned char ctemplates_beard_begin[];
extern const unsigned char ctemplates_beard_end[];

#define CTEMPLATES_FILE(name)                                                      \
  static inline ctemplates_file ctemplates_##name(void) {                          \
    return (ctemplates_file){ctemplates_##name##_begin,                            \
                             (size_t)(ctemplates_##name##_end - ctemplates_##name##_begin)}; \
  }

CTEMPLATES_FILE(short)
CTEMPLATES_FILE(medium)
CTEMPLATES_FILE(long)
CTEMPLATES_FILE(curly)
CTEMPLATES_FILE(updo)
CTEMPLATES_FILE(braids)
CTEMPLATES_FILE(color)
CTEMPLATES_FILE(trendy)
CTEMPLATES_FILE(beard)

#endif
