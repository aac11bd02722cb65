#include "CMatrixProduct.h"
#include "vector.h"

/// Not in one instruction: the results have the same bits on every processor.
#pragma STDC FP_CONTRACT OFF

INLINE void columns_of(const float *rows, size_t depth, float *columns) {
  size_t index = 0;
  for (; index + LANES <= depth; index += LANES) {
    vector square[LANES];
    for (size_t row = 0; row < LANES; ++row) square[row] = *(const vector *)(rows + row * depth + index);
    transpose(square);
    for (size_t lane = 0; lane < LANES; ++lane) *(vector *)(columns + (index + lane) * LANES) = square[lane];
  }
  for (; index < depth; ++index)
    for (size_t row = 0; row < LANES; ++row) columns[index * LANES + row] = rows[row * depth + index];
}

/// Every eighth product makes a sum of its own, and those left over another one: the order in which the bits are defined.
INLINE void sums_of(const float *columns, const float *weights, size_t depth, float *sums) {
  const size_t whole = depth - depth % LANES;
  vector parts[LANES] = {0}, rest = {0};
  for (size_t index = 0; index < whole; index += LANES)
#pragma clang loop unroll(full)
    for (size_t part = 0; part < LANES; ++part)
      parts[part] += *(const vector *)(columns + (index + part) * LANES) * weights[index + part];
  for (size_t index = whole; index < depth; ++index) rest += *(const vector *)(columns + index * LANES) * weights[index];
  vector sum = parts[0];
#pragma clang loop unroll(full)
  for (size_t part = 1; part < LANES; ++part) sum += parts[part];
  *(vector *)sums = sum + rest;
}

#if defined(__x86_64__)
NEWER_PROCESSORS static void newer_columns_of(const float *rows, size_t depth, float *columns) {
  columns_of(rows, depth, columns);
}

NEWER_PROCESSORS static void newer_sums_of(const float *columns, const float *weights, size_t depth, float *sums) {
  sums_of(columns, weights, depth, sums);
}
#endif

void transpose_rows(const float *rows, size_t depth, float *columns) {
#if defined(__x86_64__)
  if (is_newer_processor()) {
    newer_columns_of(rows, depth, columns);
    return;
  }
#endif
  columns_of(rows, depth, columns);
}

void row_sums(const float *columns, const float *weights, size_t depth, float *sums) {
#if defined(__x86_64__)
  if (is_newer_processor()) {
    newer_sums_of(columns, weights, depth, sums);
    return;
  }
#endif
  sums_of(columns, weights, depth, sums);
}
