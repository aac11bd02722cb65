#include "CMatrixProduct.h"
#include "vector.h"
#include <string.h>

enum { MOST_ROWS = 12, MOST_BLOCKS = 2 };

/// Some rows times some blocks of channels. The sums stay in registers, if the counts are constants.
INLINE void tile(
    const matrix_weights *matrix, const matrix_rows *input, const float *first, float *output, size_t channel,
    const size_t rows, const size_t blocks) {
  const float *weights = matrix->weights + channel * matrix->depth;
  const size_t block_size = matrix->depth * LANES, step = input->step;
  vector sums[MOST_ROWS][MOST_BLOCKS];
#pragma clang loop unroll(full)
  for (size_t row = 0; row < rows; ++row)
#pragma clang loop unroll(full)
    for (size_t block = 0; block < blocks; ++block)
      sums[row][block] = *(const vector *)(matrix->bias + channel + block * LANES);
  for (size_t run = 0; run < input->runs; ++run) {
    const float *numbers = first + input->offsets[run];
    for (const float *end = numbers + input->length; numbers < end; ++numbers, weights += LANES) {
      vector weight[MOST_BLOCKS];
      for (size_t block = 0; block < blocks; ++block) weight[block] = *(const vector *)(weights + block * block_size);
#pragma clang loop unroll(full)
      for (size_t row = 0; row < rows; ++row)
#pragma clang loop unroll(full)
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

#if defined(__x86_64__)
/// Two blocks of channels in one register of sixteen numbers.
typedef float pair __attribute__((vector_size(64), aligned(4)));

INLINE void load(pair *target, const float *first, const float *second) {
  *target = __builtin_shufflevector(
      *(const vector *)first, *(const vector *)second, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

/// The same with wider registers, for channels that fill them; the bits are the same.
INLINE void wide_tile(
    const matrix_weights *matrix, const matrix_rows *input, const float *first, float *output, size_t channel,
    const size_t rows, const size_t pairs) {
  const float *weights = matrix->weights + channel * matrix->depth;
  const size_t block_size = matrix->depth * LANES, step = input->step;
  pair sums[MOST_ROWS][MOST_BLOCKS];
#pragma clang loop unroll(full)
  for (size_t row = 0; row < rows; ++row)
#pragma clang loop unroll(full)
    for (size_t part = 0; part < pairs; ++part)
      sums[row][part] = *(const pair *)(matrix->bias + channel + part * 2 * LANES);
  for (size_t run = 0; run < input->runs; ++run) {
    const float *numbers = first + input->offsets[run];
    for (const float *end = numbers + input->length; numbers < end; ++numbers, weights += LANES) {
      pair weight[MOST_BLOCKS];
      for (size_t part = 0; part < pairs; ++part)
        load(&weight[part], weights + 2 * part * block_size, weights + (2 * part + 1) * block_size);
#pragma clang loop unroll(full)
      for (size_t row = 0; row < rows; ++row)
#pragma clang loop unroll(full)
        for (size_t part = 0; part < pairs; ++part) sums[row][part] += weight[part] * numbers[row * step];
    }
  }
#pragma clang loop unroll(full)
  for (size_t row = 0; row < rows; ++row)
#pragma clang loop unroll(full)
    for (size_t part = 0; part < pairs; ++part)
      *(pair *)(output + row * matrix->channels + channel + part * 2 * LANES) = sums[row][part];
}
#endif

/// All channels of some rows.
INLINE void stripe(
    const matrix_weights *matrix, const matrix_rows *input, const float *first, float *output, const size_t rows,
    const size_t blocks, const size_t pairs) {
  size_t channel = 0;
#if defined(__x86_64__)
  if (pairs > 0) {
    for (; channel + 4 * LANES <= matrix->channels; channel += 4 * LANES)
      wide_tile(matrix, input, first, output, channel, rows, 2);
    for (; channel + 2 * LANES <= matrix->channels; channel += 2 * LANES)
      wide_tile(matrix, input, first, output, channel, rows, 1);
  }
#endif
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

/// So many rows, and blocks or pairs of blocks, at a time as there are registers for the sums; then the rows that are left
/// over.
INLINE void product(
    const matrix_weights *matrix, const matrix_rows *input, float *output, const size_t most_rows, const size_t blocks,
    const size_t pairs) {
  const float *first = input->first;
  size_t left = input->count;
  if (matrix->channels == 1)
    for (; left >= LANES; left -= LANES, first += LANES * input->step, output += LANES) column(matrix, input, first, output);
  for (; left >= most_rows; left -= most_rows, first += most_rows * input->step, output += most_rows * matrix->channels)
    stripe(matrix, input, first, output, most_rows, blocks, pairs);
  if (most_rows > 6 && left >= 6) {
    stripe(matrix, input, first, output, 6, blocks, pairs);
    left -= 6, first += 6 * input->step, output += 6 * matrix->channels;
  }
  switch (left) {
  case 1: stripe(matrix, input, first, output, 1, blocks, pairs); break;
  case 2: stripe(matrix, input, first, output, 2, blocks, pairs); break;
  case 3: stripe(matrix, input, first, output, 3, blocks, pairs); break;
  case 4: stripe(matrix, input, first, output, 4, blocks, pairs); break;
  case 5: stripe(matrix, input, first, output, 5, blocks, pairs); break;
  }
}

#if defined(__x86_64__)
NEWER_PROCESSORS static void product_of_newer_processors(
    const matrix_weights *matrix, const matrix_rows *input, float *output) {
  product(matrix, input, output, 6, 2, 0);
}

WIDE_PROCESSORS static void product_of_wide_processors(
    const matrix_weights *matrix, const matrix_rows *input, float *output) {
  product(matrix, input, output, 12, 2, 2);
}
#endif

processor_kind current_processor(void) {
#if defined(__x86_64__)
  if (is_wide_processor()) return processor_wide;
  if (is_newer_processor()) return processor_newer;
#endif
  return processor_any;
}

void matrix_product(processor_kind processor, matrix_weights matrix, matrix_rows input, float *output) {
  switch (processor) {
#if defined(__x86_64__)
  case processor_wide: product_of_wide_processors(&matrix, &input, output); return;
  case processor_newer: product_of_newer_processors(&matrix, &input, output); return;
#endif
  // Sixteen registers of four numbers, or thirty-two.
  default: product(&matrix, &input, output, 4, 1, 0);
  }
}
