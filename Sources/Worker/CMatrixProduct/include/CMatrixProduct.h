/// The product that convolutions consist of, with the vector instructions of the processor it runs on: the compiler for
/// Swift knows those of the oldest processors only.
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

/// Writes `rows` × `channels` numbers: the product of `rows` × `depth` numbers with the weights, plus the bias.
///
/// Processors that multiply and add in one instruction round once instead of twice, so that results differ between
/// processors in the last bits, never on one.
void matrix_product(
    matrix_weights matrix, const float *_Nonnull input, size_t rows, float *_Nonnull output);

#endif
