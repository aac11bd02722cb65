/// What convolutions consist of, with the vector instructions of the processor it runs on: the compiler for Swift knows
/// those of the oldest processors only.
#ifndef CMATRIXPRODUCT_H
#define CMATRIXPRODUCT_H

#include <stddef.h>

/// The weights of a convolution: blocks of eight output channels, in each the eight weights of one input after the other.
/// The last block is filled up with zeros.
typedef struct {
  const float *_Nonnull weights;
  /// As many numbers as the blocks have channels.
  const float *_Nonnull bias;
  size_t depth;
  size_t channels;
} matrix_weights;

/// The numbers that are multiplied: each row consists of `runs` runs of `length` numbers, so that a row can be a window of a
/// picture as it lies in memory.
typedef struct {
  /// The place that the first row's runs are counted from.
  const float *_Nonnull first;
  /// Where each run begins.
  const size_t *_Nonnull offsets;
  size_t runs;
  size_t length;
  /// From a row to the next one.
  size_t step;
  size_t count;
} matrix_rows;

/// Whose instructions are used.
typedef enum { processor_any, processor_newer, processor_wide } processor_kind;

/// The processor that this runs on. It has the instructions of those before it as well.
processor_kind current_processor(void);

/// Writes as many rows of the matrix's channels: the product of the rows with the weights, plus the bias. `runs` × `length`
/// is the matrix's depth.
///
/// Processors that multiply and add in one instruction round once instead of twice, so that results differ between
/// processors in the last bits, never on one. Newer and wide processors do so, and give the same bits.
void matrix_product(processor_kind processor, matrix_weights matrix, matrix_rows rows, float *_Nonnull output);

/// Turns eight rows of `depth` numbers into `depth` vectors of eight, one lane for each row.
void transpose_rows(const float *_Nonnull rows, size_t depth, float *_Nonnull columns);

/// The sums of the products of `depth` weights with each of eight rows that were transposed.
void row_sums(const float *_Nonnull columns, const float *_Nonnull weights, size_t depth, float *_Nonnull sums);

/// How the windows of a depthwise convolution, in which each channel has its own weights, lie in memory.
typedef struct {
  size_t channels;
  /// From a result's window to the next one's.
  size_t step;
  size_t rows;
  size_t row_step;
  size_t columns;
  size_t column_step;
  /// From a row of the weights to the next one.
  size_t weight_step;
} depthwise_window;

/// Writes `count` results of all channels.
void depthwise_convolution(
    depthwise_window window, const float *_Nonnull input, const float *_Nonnull weights, const float *_Nonnull bias,
    float *_Nonnull output, size_t count);

/// Reads numbers that lie anywhere, in the order of bytes of the processor's own.
void single_precision(const void *_Nonnull bytes, size_t count, float *_Nonnull numbers);
/// Likewise numbers in half precision, all of which single precision can represent.
void half_precision(const void *_Nonnull bytes, size_t count, float *_Nonnull numbers);

typedef enum { activation_relu, activation_relu6, activation_hard_swish } activation_kind;

/// Changes the numbers in place.
void activation_apply(activation_kind kind, float *_Nonnull numbers, size_t count);

/// Gives the system the memory that was freed before and that the allocator still holds.
void give_back_freed_memory(void);

#endif
