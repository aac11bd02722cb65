#include "CMatrixProduct.h"
#include "vector.h"
#include <string.h>

enum { MOST_ROWS = 6, MOST_BLOCKS = 2 };

/// Some rows times some blocks of channels. The sums stay in registers, if the counts are constants.
INLINE void tile(
    const matrix_weights *matrix, const matrix_rows *input, const float *first, float *output, size_t channel,
    const size_t rows, const size_t blocks) {
  const float *weights = matrix->weights + channel * matrix->depth;
  const size_t block_size = matrix->depth * LANES, step = input->step;
  vector sums[MOST_ROWS][MOST_BLOCKS];
  for (size_t row = 0; row < rows; ++row)
    for (size_t block = 0; block < blocks; ++block)
      sums[row][block] = *(const vector *)(matrix->bias + channel + block * LANES);
  for (size_t run = 0; run < input->runs; ++run) {
    const float *numbers = first + input->offsets[run];
    for (const float *end = numbers + input->length; numbers < end; ++numbers, weights += LANES) {
      vector weight[MOST_BLOCKS];
      for (size_t block = 0; block < blocks; ++block) weight[block] = *(const vector *)(weights + block * block_size);
      for (size_t row = 0; row < rows; ++row)
        for (size_t block = 0; block < blocks; ++block) sums[row][block] += weight[block] * numbers[row * step];
    }
  }
  // Unrolled, for what is found by an index that is no constant must be in memory.
#pragma clang loop unroll(full)
  for (size_t block = 0; block < blocks; ++block) {
    const size_t start = channel + block * LANES, left = matrix->channels - start;
#pragma clang loop unroll(full)
    for (size_t row = 0; row < rows; ++row) {
      const vector lanes = sums[row][block];
      float *target = output + row * matrix->channels + start;
      if (left >= LANES)
        *(vector *)target = lanes;
      else
        memcpy(target, &lanes, left * sizeof(float));
    }
  }
}

/// All channels of some rows.
INLINE void stripe(
    const matrix_weights *matrix, const matrix_rows *input, const float *first, float *output, const size_t rows,
    const size_t blocks) {
  size_t channel = 0;
  if (blocks > 1)
    for (; channel + LANES < matrix->channels; channel += 2 * LANES) tile(matrix, input, first, output, channel, rows, 2);
  for (; channel < matrix->channels; channel += LANES) tile(matrix, input, first, output, channel, rows, 1);
}

/// Eight rows of one channel, a row in each lane: in vectors of channels, seven lanes would be idle.
INLINE void column(const matrix_weights *matrix, const matrix_rows *input, const float *first, float *output) {
  const float *weights = matrix->weights;
  const size_t step = input->step;
  vector sums = matrix->bias[0] - (vector){0};
  for (size_t run = 0; run < input->runs; ++run) {
    const float *numbers = first + input->offsets[run], *end = numbers + input->length;
    for (; numbers + LANES <= end; numbers += LANES, weights += LANES * LANES) {
      vector square[LANES];
      for (size_t row = 0; row < LANES; ++row) square[row] = *(const vector *)(numbers + row * step);
      transpose(square);
      for (size_t index = 0; index < LANES; ++index) sums += square[index] * weights[index * LANES];
    }
    for (; numbers < end; ++numbers, weights += LANES) {
      vector numbers_of_rows;
      for (size_t row = 0; row < LANES; ++row) numbers_of_rows[row] = numbers[row * step];
      sums += numbers_of_rows * weights[0];
    }
  }
  *(vector *)output = sums;
}

/// So many rows and blocks at a time as there are registers for the sums; then the rows that are left over.
INLINE void product(
    const matrix_weights *matrix, const matrix_rows *input, float *output, const size_t most_rows, const size_t blocks) {
  size_t row = 0;
  if (matrix->channels == 1)
    for (; row + LANES <= input->count; row += LANES)
      column(matrix, input, input->first + row * input->step, output + row);
  for (; row + most_rows <= input->count; row += most_rows)
    stripe(matrix, input, input->first + row * input->step, output + row * matrix->channels, most_rows, blocks);
  const float *first = input->first + row * input->step;
  output += row * matrix->channels;
  switch (input->count - row) {
  case 1: stripe(matrix, input, first, output, 1, blocks); break;
  case 2: stripe(matrix, input, first, output, 2, blocks); break;
  case 3: stripe(matrix, input, first, output, 3, blocks); break;
  case 4: stripe(matrix, input, first, output, 4, blocks); break;
  case 5: stripe(matrix, input, first, output, 5, blocks); break;
  }
}

#if defined(__x86_64__)
NEWER_PROCESSORS static void product_of_newer_processors(
    const matrix_weights *matrix, const matrix_rows *input, float *output) {
  product(matrix, input, output, 6, 2);
}
#endif

void matrix_product(matrix_weights matrix, matrix_rows input, float *output) {
#if defined(__x86_64__)
  if (is_newer_processor()) {
    product_of_newer_processors(&matrix, &input, output);
    return;
  }
#endif
  // Sixteen registers of four numbers, or thirty-two.
  product(&matrix, &input, output, 4, 1);
}
