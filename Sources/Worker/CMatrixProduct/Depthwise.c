#include "CMatrixProduct.h"
#include "vector.h"

/// Not in one instruction: the results have the same bits on every processor.
#pragma STDC FP_CONTRACT OFF

enum { MOST_PIXELS = 4 };

/// Some pixels of eight channels, so that each weight is read once for all. The sums stay in registers, if the counts are
/// constants.
INLINE void pixels(
    const depthwise_window *window, const float *input, const float *weights, const float *bias, float *output,
    const size_t count, const size_t columns) {
  const size_t channels = window->channels, step = window->step, column_step = window->column_step;
  vector sums[MOST_PIXELS];
#pragma clang loop unroll(full)
  for (size_t pixel = 0; pixel < count; ++pixel) sums[pixel] = *(const vector *)bias;
  for (size_t row = 0; row < window->rows; ++row) {
    const float *numbers = input + row * window->row_step, *weight = weights + row * window->weight_step;
    for (size_t column = 0; column < columns; ++column) {
      const vector factor = *(const vector *)(weight + column * channels);
#pragma clang loop unroll(full)
      for (size_t pixel = 0; pixel < count; ++pixel)
        sums[pixel] += *(const vector *)(numbers + pixel * step + column * column_step) * factor;
    }
  }
#pragma clang loop unroll(full)
  for (size_t pixel = 0; pixel < count; ++pixel) *(vector *)(output + pixel * channels) = sums[pixel];
}

/// The channels that fill no vector.
INLINE void rest(
    const depthwise_window *window, const float *input, const float *weights, const float *bias, float *output,
    size_t channel) {
  for (; channel < window->channels; ++channel) {
    float sum = bias[channel];
    for (size_t row = 0; row < window->rows; ++row)
      for (size_t column = 0; column < window->columns; ++column)
        sum += input[row * window->row_step + column * window->column_step + channel]
            * weights[row * window->weight_step + column * window->channels + channel];
    output[channel] = sum;
  }
}

INLINE void line(
    const depthwise_window *window, const float *input, const float *weights, const float *bias, float *output,
    size_t count, const size_t columns) {
  const size_t channels = window->channels;
  size_t pixel = 0;
  while (pixel < count) {
    const size_t some = count - pixel >= MOST_PIXELS ? MOST_PIXELS : 1;
    const float *source = input + pixel * window->step;
    float *target = output + pixel * channels;
    size_t channel = 0;
    if (some == MOST_PIXELS)
      for (; channel + LANES <= channels; channel += LANES)
        pixels(window, source + channel, weights + channel, bias + channel, target + channel, MOST_PIXELS, columns);
    else
      for (; channel + LANES <= channels; channel += LANES)
        pixels(window, source + channel, weights + channel, bias + channel, target + channel, 1, columns);
    if (channel < channels)
      for (size_t one = 0; one < some; ++one)
        rest(window, source + one * window->step, weights, bias, target + one * channels, channel);
    pixel += some;
  }
}

/// Constants, so that the loops over the window are unrolled.
INLINE void convolution(
    const depthwise_window *window, const float *input, const float *weights, const float *bias, float *output,
    size_t count) {
  switch (window->columns) {
  case 3: line(window, input, weights, bias, output, count, 3); break;
  case 5: line(window, input, weights, bias, output, count, 5); break;
  default: line(window, input, weights, bias, output, count, window->columns);
  }
}

#if defined(__x86_64__)
NEWER_PROCESSORS static void convolution_of_newer_processors(
    const depthwise_window *window, const float *input, const float *weights, const float *bias, float *output,
    size_t count) {
  convolution(window, input, weights, bias, output, count);
}
#endif

void depthwise_convolution(
    depthwise_window window, const float *input, const float *weights, const float *bias, float *output, size_t count) {
#if defined(__x86_64__)
  if (is_newer_processor()) {
    convolution_of_newer_processors(&window, input, weights, bias, output, count);
    return;
  }
#endif
  convolution(&window, input, weights, bias, output, count);
}
