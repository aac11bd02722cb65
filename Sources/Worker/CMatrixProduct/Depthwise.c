#include "CMatrixProduct.h"
#include "vector.h"

/// Not in one instruction: the results have the same bits on every processor.
#pragma STDC FP_CONTRACT OFF

enum { MOST_PIXELS = 4, MOST_COLUMNS = 5 };

/// Four pixels of eight channels, whose windows are so many columns apart: each weight and number is read once for all. The
/// sums stay in registers, for the counts are constants.
INLINE void pixels(
    const depthwise_window *window, const float *input, const float *weights, const float *bias, float *output,
    const size_t columns, const size_t stride) {
  const size_t channels = window->channels, column_step = window->column_step;
  vector sums[MOST_PIXELS];
  for (size_t pixel = 0; pixel < MOST_PIXELS; ++pixel) sums[pixel] = *(const vector *)bias;
  for (size_t row = 0; row < window->rows; ++row) {
    const float *numbers = input + row * window->row_step, *weight = weights + row * window->weight_step;
    vector factors[MOST_COLUMNS];
#pragma clang loop unroll(full)
    for (size_t column = 0; column < columns; ++column) factors[column] = *(const vector *)(weight + column * channels);
#pragma clang loop unroll(full)
    for (size_t place = 0; place < (MOST_PIXELS - 1) * stride + columns; ++place, numbers += column_step)
#pragma clang loop unroll(full)
      for (size_t pixel = 0; pixel < MOST_PIXELS; ++pixel)
        if (pixel * stride <= place && place < pixel * stride + columns)
          sums[pixel] += *(const vector *)numbers * factors[place - pixel * stride];
  }
  for (size_t pixel = 0; pixel < MOST_PIXELS; ++pixel) *(vector *)(output + pixel * channels) = sums[pixel];
}

/// One pixel of eight channels.
INLINE void pixel(
    const depthwise_window *window, const float *input, const float *weights, const float *bias, float *output) {
  vector sum = *(const vector *)bias;
  for (size_t row = 0; row < window->rows; ++row)
    for (size_t column = 0; column < window->columns; ++column)
      sum += *(const vector *)(input + row * window->row_step + column * window->column_step)
          * *(const vector *)(weights + row * window->weight_step + column * window->channels);
  *(vector *)output = sum;
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
    size_t count, const size_t columns, const size_t stride) {
  const size_t channels = window->channels, whole = channels - channels % LANES;
  while (count > 0) {
    const size_t some = columns > 0 && count >= MOST_PIXELS ? MOST_PIXELS : 1;
    for (size_t channel = 0; channel < whole; channel += LANES)
      if (some > 1)
        pixels(window, input + channel, weights + channel, bias + channel, output + channel, columns, stride);
      else
        pixel(window, input + channel, weights + channel, bias + channel, output + channel);
    for (size_t one = 0; one < some; ++one, input += window->step, output += channels)
      rest(window, input, weights, bias, output, whole);
    count -= some;
  }
}

/// The usual windows by constants; others a pixel at a time.
INLINE void convolution(
    const depthwise_window *window, const float *input, const float *weights, const float *bias, float *output,
    size_t count) {
  const size_t once = window->column_step, twice = 2 * once, columns = window->columns, step = window->step;
  if (columns == 3 && step == once)
    line(window, input, weights, bias, output, count, 3, 1);
  else if (columns == 3 && step == twice)
    line(window, input, weights, bias, output, count, 3, 2);
  else if (columns == 5 && step == once)
    line(window, input, weights, bias, output, count, 5, 1);
  else if (columns == 5 && step == twice)
    line(window, input, weights, bias, output, count, 5, 2);
  else
    line(window, input, weights, bias, output, count, 0, 0);
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
