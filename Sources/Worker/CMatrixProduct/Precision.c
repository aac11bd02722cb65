#include "CMatrixProduct.h"
#include "vector.h"
#include <string.h>

void single_precision(const void *bytes, size_t count, float *numbers) { memcpy(numbers, bytes, count * sizeof(float)); }

INLINE void convert(const void *bytes, size_t count, float *numbers) {
  typedef _Float16 half __attribute__((aligned(1)));
  const half *halves = bytes;
  for (size_t index = 0; index < count; ++index) numbers[index] = (float)halves[index];
}

#if defined(__x86_64__)
__attribute__((target("avx2,f16c"))) static void convert_on_newer_processors(
    const void *bytes, size_t count, float *numbers) {
  convert(bytes, count, numbers);
}
#endif

void half_precision(const void *bytes, size_t count, float *numbers) {
#if defined(__x86_64__)
  if (is_newer_processor() && __builtin_cpu_supports("f16c")) {
    convert_on_newer_processors(bytes, count, numbers);
    return;
  }
#endif
  convert(bytes, count, numbers);
}
