#include "Profiles.h"

#include <string.h>

/* The place in the table: name, offset and size of four bytes each. */
static const unsigned char *entry_of(const unsigned char *profile, size_t length, const char *name) {
  if (profile == NULL || length < 132) return NULL;
  size_t count = profile_number(profile + 128), most = (length - 132) / 12;
  for (size_t index = 0; index < count && index < most; index++) {
    const unsigned char *entry = profile + 132 + 12 * index;
    if (memcmp(entry, name, 4) == 0) return entry;
  }
  return NULL;
}

bool cvips_profile_has(const unsigned char *profile, size_t length, const char *name) {
  return entry_of(profile, length, name) != NULL;
}

const unsigned char *cvips_profile_tag(const unsigned char *profile, size_t length, const char *name, size_t *size) {
  const unsigned char *entry = entry_of(profile, length, name);
  if (entry == NULL) return NULL;
  size_t offset = profile_number(entry + 4);
  *size = profile_number(entry + 8);
  return offset <= length && *size <= length - offset ? profile + offset : NULL;
}
