#ifndef CVIPS_PROFILES_H
#define CVIPS_PROFILES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline uint32_t profile_number(const unsigned char *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

/* Whether the table of a profile has a tag (ICC.1, 7.3): its number follows the header, and 12 bytes for each. */
bool cvips_profile_has(const unsigned char *profile, size_t length, const char *name);

/* The bytes of a tag and their number; NULL where there is none, or it does not lie inside the profile. */
const unsigned char *cvips_profile_tag(const unsigned char *profile, size_t length, const char *name, size_t *size);

#endif
