#include "CVips.h"
#include "Images.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <vips/vips.h>

/* With more, the sums below would not fit their numbers. */
enum { MOST_FACTOR = 256 };

#define INLINE static inline __attribute__((always_inline))

/* The sum of `factor` bytes and half of the factor, divided by the factor as vips_shrink does, but without a division,
   which no processor does for many numbers at once.
   The reciprocal times the factor is 2²⁴ and less than the factor more. The sum is at most 255 factors and a half, below
   2¹⁶, so that what is more adds less than 2²⁴ to the product with a factor: the quotient is exact. And the product is less
   than 256 times 2²⁴, so that it fits. */
INLINE uint8_t mean(uint32_t sum, uint32_t reciprocal) { return (uint8_t)(sum * reciprocal >> 24); }

/* The means of `factor` rows of `length` bytes, rounded, in `means`. The last row that exists stands for those beyond. */
INLINE void mean_of_rows(
    const uint8_t *row, size_t stride, size_t rows_left, size_t length, const uint32_t factor, uint16_t *sums,
    uint8_t *means) {
  if (factor == 2) {
    const uint8_t *other = row + (rows_left > 1 ? stride : 0);
    for (size_t at = 0; at < length; ++at) means[at] = (uint8_t)((row[at] + other[at] + 1) >> 1);
    return;
  }
  const uint32_t reciprocal = ((1u << 24) + factor - 1) / factor;
  for (size_t at = 0; at < length; ++at) sums[at] = (uint16_t)(row[at] + factor / 2);
  for (size_t line = 1; line < factor; ++line) {
    const uint8_t *other = row + (line < rows_left ? line : rows_left - 1) * stride;
    for (size_t at = 0; at < length; ++at) sums[at] = (uint16_t)(sums[at] + other[at]);
  }
  for (size_t at = 0; at < length; ++at) means[at] = mean(sums[at], reciprocal);
}

/* Each `factor` pixels of a row become one of the result: `row` has as many for each. */
INLINE void mean_of_columns(
    const uint8_t *row, size_t width, const size_t bands, const uint32_t factor, uint8_t *result) {
  const uint32_t reciprocal = ((1u << 24) + factor - 1) / factor;
  for (size_t x = 0; x < width; ++x, row += factor * bands, result += bands) {
    for (size_t band = 0; band < bands; ++band) {
      uint32_t sum = factor / 2;
      for (size_t column = 0; column < factor; ++column) sum += row[column * bands + band];
      result[band] = mean(sum, reciprocal);
    }
  }
}

/* `line` and `sums` have room for `factor` pixels for each of the result's row. */
INLINE void shrink(
    VipsImage *from, VipsImage *to, const size_t bands, const uint32_t factor, uint8_t *line, uint16_t *sums) {
  const size_t stride = VIPS_IMAGE_SIZEOF_LINE(from), used = (size_t)to->Xsize * factor * bands;
  /* Where the width is no multiple of the factor, the last pixel stands for those beyond, or the rest is left out. */
  const size_t length = used < stride ? used : stride;
  for (int y = 0; y < to->Ysize; ++y) {
    /* Rounding to the nearest, the last row begins inside the picture. */
    const size_t top = (size_t)y * factor;
    mean_of_rows(VIPS_IMAGE_ADDR(from, 0, top), stride, (size_t)from->Ysize - top, length, factor, sums, line);
    for (size_t at = length; at < used; ++at) line[at] = line[at - bands];
    mean_of_columns(line, (size_t)to->Xsize, bands, factor, VIPS_IMAGE_ADDR(to, 0, y));
  }
}

/* Rounded to the nearest, as vips_shrink does, but at least one. */
static int shrunk(int length, int factor) {
  int result = (2 * length + factor) / (2 * factor);
  return result < 1 ? 1 : result;
}

int cvips_shrink(cvips_image *image, int factor, cvips_image **result) {
  VipsImage *from = vips(image);
  /* Pixels that are still to be computed are not held all at once. */
  bool is_computed = !vips_image_ispartial(from) && vips_image_get_format(from) == VIPS_FORMAT_UCHAR;
  if (!is_computed || factor < 2 || factor > MOST_FACTOR) {
    return vips_shrink(from, result_of(result), factor, factor, NULL);
  }
  if (vips_image_wio_input(from) != 0) return -1;
  VipsImage *to = vips_image_new_memory();
  int status = vips_image_pipelinev(to, VIPS_DEMAND_STYLE_ANY, from, NULL);
  to->Xsize = shrunk(from->Xsize, factor);
  to->Ysize = shrunk(from->Ysize, factor);
  size_t bands = (size_t)from->Bands, used = (size_t)to->Xsize * (size_t)factor * bands;
  uint8_t *line = g_try_malloc(used);
  uint16_t *sums = g_try_malloc(used * sizeof *sums);
  if (status != 0 || line == NULL || sums == NULL || vips_image_write_prepare(to) != 0) {
    status = -1;
  } else if (bands == 3 && factor == 2) {
    /* Constants, so that the loops over them are unrolled. */
    shrink(from, to, 3, 2, line, sums);
  } else if (bands == 3) {
    shrink(from, to, 3, (uint32_t)factor, line, sums);
  } else {
    shrink(from, to, bands, (uint32_t)factor, line, sums);
  }
  g_free(line);
  g_free(sums);
  if (status == 0) {
    *result_of(result) = to;
  } else {
    g_object_unref(to);
  }
  return status;
}
