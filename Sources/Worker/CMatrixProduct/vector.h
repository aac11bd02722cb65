/// Eight numbers at a time, and how functions for newer processors are marked and chosen.
#ifndef VECTOR_H
#define VECTOR_H

#include <stddef.h>

#define INLINE static inline __attribute__((always_inline))

/// Eight numbers, at any address of a float. Each is one register of newer processors, two of older ones.
typedef float vector __attribute__((vector_size(32), aligned(4)));

enum { LANES = 8 };

/// Rows become columns.
INLINE void transpose(vector square[LANES]) {
  vector pairs[LANES], fours[LANES];
  for (size_t row = 0; row < LANES; row += 2) {
    pairs[row] = __builtin_shufflevector(square[row], square[row + 1], 0, 8, 2, 10, 4, 12, 6, 14);
    pairs[row + 1] = __builtin_shufflevector(square[row], square[row + 1], 1, 9, 3, 11, 5, 13, 7, 15);
  }
  for (size_t row = 0; row < LANES; row += 4)
    for (size_t odd = 0; odd < 2; ++odd) {
      const vector above = pairs[row + odd], below = pairs[row + 2 + odd];
      fours[row + odd] = __builtin_shufflevector(above, below, 0, 1, 8, 9, 4, 5, 12, 13);
      fours[row + 2 + odd] = __builtin_shufflevector(above, below, 2, 3, 10, 11, 6, 7, 14, 15);
    }
  for (size_t row = 0; row < 4; ++row) {
    square[row] = __builtin_shufflevector(fours[row], fours[row + 4], 0, 1, 2, 3, 8, 9, 10, 11);
    square[row + 4] = __builtin_shufflevector(fours[row], fours[row + 4], 4, 5, 6, 7, 12, 13, 14, 15);
  }
}

#if defined(__x86_64__)
/// For processors since 2013: sixteen registers of eight numbers.
#define NEWER_PROCESSORS __attribute__((target("avx2,fma")))

INLINE int is_newer_processor(void) { return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"); }

/// For servers since 2017 and some desktops: thirty-two registers of sixteen numbers.
#define WIDE_PROCESSORS __attribute__((target("avx2,fma,avx512f,avx512vl"), min_vector_width(512)))

INLINE int is_wide_processor(void) {
  return is_newer_processor() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl");
}
#endif

#endif
