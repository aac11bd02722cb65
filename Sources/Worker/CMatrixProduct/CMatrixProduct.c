#include "CMatrixProduct.h"

#define INLINE static inline __attribute__((always_inline))

/// Eight numbers, at any address of a float. Each is one register of newer processors, two of older ones.
typedef float vector __attribute__((vector_size(32), aligned(4)));

enum { LANES = 8, MOST_ROWS = 6, MOST_BLOCKS = 2 };

/// Some rows times some blocks of channels. The sums stay in registers, if the counts are constants.
INLINE void tile(
    const matrix_weights *matrix, const float *input, float *output, size_t channel, const size_t rows,
    const size_t blocks) {
  const float *weights = matrix->weights + channel * matrix->depth;
  vector sums[MOST_ROWS][MOST_BLOCKS];
  for (size_t row = 0; row < rows; ++row)
    for (size_t block = 0; block < blocks; ++block)
      sums[row][block] = *(const vector *)(matrix->bias + channel + block * LANES);
  for (size_t index = 0; index < matrix->depth; ++index) {
    vector weight[MOST_BLOCKS];
    for (size_t block = 0; block < blocks; ++block)
      weight[block] = *(const vector *)(weights + (block * matrix->depth + index) * LANES);
    for (size_t row = 0; row < rows; ++row)
      for (size_t block = 0; block < blocks; ++block)
        sums[row][block] += weight[block] * input[row * matrix->depth + index];
  }
  for (size_t block = 0; block < blocks; ++block) {
    const size_t first = channel + block * LANES, left = matrix->channels - first;
    for (size_t row = 0; row < rows; ++row) {
      float *target = output + row * matrix->channels + first;
      if (left >= LANES)
        *(vector *)target = sums[row][block];
      else
        for (size_t lane = 0; lane < left; ++lane) target[lane] = sums[row][block][lane];
    }
  }
}

/// All channels of some rows.
INLINE void stripe(const matrix_weights *matrix, const float *input, float *output, const size_t rows, const size_t blocks) {
  size_t channel = 0;
  if (blocks > 1)
    for (; channel + LANES < matrix->channels; channel += 2 * LANES) tile(matrix, input, output, channel, rows, 2);
  for (; channel < matrix->channels; channel += LANES) tile(matrix, input, output, channel, rows, 1);
}

/// So many rows and blocks at a time as there are registers for the sums.
INLINE void product(
    const matrix_weights *matrix, const float *input, size_t rows, float *output, const size_t most_rows,
    const size_t blocks) {
  size_t row = 0;
  for (; row + most_rows <= rows; row += most_rows)
    stripe(matrix, input + row * matrix->depth, output + row * matrix->channels, most_rows, blocks);
  for (; row < rows; ++row)
    stripe(matrix, input + row * matrix->depth, output + row * matrix->channels, 1, blocks);
}

#if defined(__x86_64__)
/// For processors since 2013: sixteen registers of eight numbers.
__attribute__((target("avx2,fma"))) static void product_of_newer_processors(
    const matrix_weights *matrix, const float *input, size_t rows, float *output) {
  product(matrix, input, rows, output, 6, 2);
}
#endif

void matrix_product(matrix_weights matrix, const float *input, size_t rows, float *output) {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    product_of_newer_processors(&matrix, input, rows, output);
    return;
  }
#endif
  // Sixteen registers of four numbers, or thirty-two.
  product(&matrix, input, rows, output, 4, 1);
}
