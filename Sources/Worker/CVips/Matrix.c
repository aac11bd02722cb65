#include "Matrix.h"
#include "Profiles.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

/* Light has 14 binary digits after the point, as in lcms. */
enum { WHITE = 1 << 14 };
/* Colours beyond those of sRGB give light below 0 and above white: at most so much, as is made sure of below. */
enum { BELOW = WHITE / 2, ABOVE = WHITE / 2, LIGHTS = BELOW + WHITE + ABOVE + 1 };

/* Red, green and blue, and one number that is not used. Any address of a number. */
typedef int32_t vector __attribute__((vector_size(16), aligned(4)));

typedef struct {
  /* What each number of a channel adds to the light of red, green and blue, with 28 digits; in the first one, a half. */
  int32_t parts[3][256][4];
  /* The number of sRGB for each light, from -BELOW on. */
  uint8_t numbers[LIGHTS];
} conversion;

typedef struct {
  /* Columns: X, Y and Z of red, green and blue. */
  double columns[3][3];
} colours;

/* As profiles have them, whose white is D50: IEC 61966-2-1 and SMPTE EG 432-1. */
static const colours known[] = {
    {{{0.4361, 0.2225, 0.0139}, {0.3851, 0.7169, 0.0971}, {0.1431, 0.0606, 0.7141}}},
    {{{0.5151, 0.2412, -0.0011}, {0.2920, 0.6922, 0.0419}, {0.1571, 0.0666, 0.7841}}},
};
/* Programs round them differently, or leave out what is below 0. */
static const double tolerance = 0.002;

static double fixed_at(const unsigned char *bytes) { return (int32_t)profile_number(bytes) / 65536.0; }
static double short_at(const unsigned char *bytes) { return bytes[0] << 8 | bytes[1]; }

/* The colours by which red, green and blue are defined (ICC.1, 8.3.3). */
static bool read_colours(const unsigned char *profile, size_t length, colours *result) {
  static const char *const names[] = {"rXYZ", "gXYZ", "bXYZ"};
  for (int channel = 0; channel < 3; channel++) {
    size_t size = 0;
    const unsigned char *tag = cvips_profile_tag(profile, length, names[channel], &size);
    if (tag == NULL || size < 20 || memcmp(tag, "XYZ ", 4) != 0) return false;
    for (int index = 0; index < 3; index++) result->columns[channel][index] = fixed_at(tag + 8 + 4 * index);
  }
  return true;
}

static bool are_known(const colours *found) {
  for (size_t index = 0; index < G_N_ELEMENTS(known); index++) {
    double most = 0;
    for (int channel = 0; channel < 3; channel++) {
      for (int axis = 0; axis < 3; axis++) {
        most = fmax(most, fabs(found->columns[channel][axis] - known[index].columns[channel][axis]));
      }
    }
    if (most <= tolerance) return true;
  }
  return false;
}

/* The light of each number by a function with up to seven constants (ICC.1, 10.18); NAN for what is none. */
static double by_function(int kind, const double *p, double x) {
  switch (kind) {
    case 0: return pow(x, p[0]);
    case 1: return x >= -p[2] / p[1] ? pow(p[1] * x + p[2], p[0]) : 0;
    case 2: return x >= -p[2] / p[1] ? pow(p[1] * x + p[2], p[0]) + p[3] : p[3];
    case 3: return x >= p[4] ? pow(p[1] * x + p[2], p[0]) : p[3] * x;
    default: return x >= p[4] ? pow(p[1] * x + p[2], p[0]) + p[5] : p[3] * x + p[6];
  }
}

static bool read_function(const unsigned char *tag, size_t size, double lights[256]) {
  static const size_t constants[] = {1, 3, 4, 5, 7};
  int kind = tag[8] << 8 | tag[9];
  if (kind > 4 || size < 12 + 4 * constants[kind]) return false;
  double numbers[7] = {0};
  for (size_t index = 0; index < constants[kind]; index++) numbers[index] = fixed_at(tag + 12 + 4 * index);
  for (int number = 0; number < 256; number++) lights[number] = by_function(kind, numbers, number / 255.0);
  return true;
}

/* The light of each number by a table in equal steps, or by an exponent alone (ICC.1, 10.6). */
static bool read_table(const unsigned char *tag, size_t size, double lights[256]) {
  size_t count = profile_number(tag + 8);
  if (count == 0 || count > (size - 12) / 2) return false;
  for (int number = 0; number < 256; number++) {
    double place = number / 255.0 * (double)(count - 1);
    size_t index = (size_t)place, next = index + 1 < count ? index + 1 : index;
    double lower = short_at(tag + 12 + 2 * index), upper = short_at(tag + 12 + 2 * next);
    lights[number] = count == 1 ? pow(number / 255.0, lower / 256)
                                : (lower + (upper - lower) * (place - (double)index)) / 65535;
  }
  return true;
}

/* A curve from black to white that never falls. One that begins higher needs the compensation of black points. */
static bool read_curve(const unsigned char *profile, size_t length, const char *name, double lights[256]) {
  size_t size = 0;
  const unsigned char *tag = cvips_profile_tag(profile, length, name, &size);
  if (tag == NULL || size < 12) return false;
  bool is_read = memcmp(tag, "para", 4) == 0   ? read_function(tag, size, lights)
                 : memcmp(tag, "curv", 4) == 0 ? read_table(tag, size, lights)
                                               : false;
  if (!is_read || !(fabs(lights[0]) < 1e-5) || !(fabs(lights[255] - 1) < 1e-3)) return false;
  for (int number = 1; number < 256; number++) {
    if (!(lights[number] >= lights[number - 1])) return false;
  }
  return true;
}

static void cross(const double *first, const double *second, double *result) {
  for (int index = 0; index < 3; index++) {
    int next = (index + 1) % 3, last = (index + 2) % 3;
    result[index] = first[next] * second[last] - first[last] * second[next];
  }
}

static double dot(const double *first, const double *second) {
  return first[0] * second[0] + first[1] * second[1] + first[2] * second[2];
}

/* What each channel of one set of colours is of another's: `matrix[to][from]`, with the digits of light. False where that
   would leave the table of lights. */
static bool mix(const colours *from, const colours *to, int32_t matrix[3][3]) {
  for (int channel = 0; channel < 3; channel++) {
    double normal[3];
    cross(to->columns[(channel + 1) % 3], to->columns[(channel + 2) % 3], normal);
    double volume = dot(normal, to->columns[channel]);
    if (fabs(volume) < 1e-6) return false;
    int32_t below = 0, above = 0;
    for (int source = 0; source < 3; source++) {
      double part = dot(normal, from->columns[source]) / volume;
      if (fabs(part) > 2) return false;
      int32_t number = (int32_t)lrint(part * WHITE);
      matrix[channel][source] = number;
      *(number < 0 ? &below : &above) += number;
    }
    /* A light is at most WHITE, and rounding adds one to a sum at most. */
    if (below <= -BELOW || above >= WHITE + ABOVE) return false;
  }
  return true;
}

/* The light of a number of sRGB (IEC 61966-2-1). */
static double light_of(double number) {
  return number <= 0.04045 ? number / 12.92 : pow((number + 0.055) / 1.055, 2.4);
}

static void fill_numbers(uint8_t numbers[LIGHTS]) {
  int number = 0;
  double next = light_of(0.5 / 255);
  for (int light = -BELOW; light < LIGHTS - BELOW; light++) {
    while (number < 255 && light >= next * WHITE) {
      number++;
      next = light_of((number + 0.5) / 255);
    }
    numbers[light + BELOW] = (uint8_t)number;
  }
}

static bool fill(conversion *result, const unsigned char *profile, size_t length) {
  static const char *const names[] = {"rTRC", "gTRC", "bTRC"};
  VipsBlob *blob = NULL;
  colours from, to;
  int32_t matrix[3][3];
  if (!read_colours(profile, length, &from) || !are_known(&from)) return false;
  if (vips_profile_load("srgb", &blob, NULL) != 0 || blob == NULL) return false;
  size_t size = 0;
  const unsigned char *target = vips_blob_get(blob, &size);
  bool is_mixed = read_colours(target, size, &to) && mix(&from, &to, matrix);
  vips_area_unref(VIPS_AREA(blob));
  if (!is_mixed) return false;
  for (int channel = 0; channel < 3; channel++) {
    double lights[256];
    if (!read_curve(profile, length, names[channel], lights)) return false;
    for (int number = 0; number < 256; number++) {
      int32_t light = (int32_t)lrint(fmin(1, fmax(0, lights[number])) * WHITE);
      for (int mixed = 0; mixed < 3; mixed++) {
        result->parts[channel][number][mixed] = matrix[mixed][channel] * light + (channel == 0 ? WHITE / 2 : 0);
      }
      result->parts[channel][number][3] = 0;
    }
  }
  fill_numbers(result->numbers);
  return true;
}

static void convert_row(const conversion *by, const uint8_t *source, uint8_t *target, int width) {
  const uint8_t *numbers = by->numbers + BELOW;
  for (int x = 0; x < width; x++, source += 3, target += 3) {
    /* Shifted, each sum is a light of the table: `mix` has made sure of it. */
    vector sum = *(const vector *)by->parts[0][source[0]] + *(const vector *)by->parts[1][source[1]] +
                 *(const vector *)by->parts[2][source[2]];
    sum >>= 14;
    target[0] = numbers[sum[0]];
    target[1] = numbers[sum[1]];
    target[2] = numbers[sum[2]];
  }
}

/* Called by the threads of libvips for a part of the image. */
static int convert(VipsRegion *target, void *source, void *image, void *by, gboolean *stops) {
  (void)image, (void)stops;
  VipsRegion *from = source;
  VipsRect *area = &target->valid;
  if (vips_region_prepare(from, area) != 0) return -1;
  for (int y = area->top; y < VIPS_RECT_BOTTOM(area); y++) {
    convert_row(by, VIPS_REGION_ADDR(from, area->left, y), VIPS_REGION_ADDR(target, area->left, y), area->width);
  }
  return 0;
}

/* Whether the profile has no tables instead of its colours and curves: those would be used (ICC.1, 8.10.2). */
static bool is_display(const unsigned char *profile, size_t length) {
  static const char *const tables[] = {"A2B0", "A2B1", "D2B0", "D2B1"};
  if (profile == NULL || length < 132) return false;
  for (size_t index = 0; index < G_N_ELEMENTS(tables); index++) {
    if (cvips_profile_has(profile, length, tables[index])) return false;
  }
  return memcmp(profile + 12, "mntrRGB XYZ ", 12) == 0;
}

int cvips_by_matrix(VipsImage *image, const unsigned char *profile, size_t length, VipsImage **result) {
  VipsInterpretation colours = vips_image_get_interpretation(image);
  if (colours != VIPS_INTERPRETATION_sRGB && colours != VIPS_INTERPRETATION_RGB) return 1;
  if (vips_image_get_bands(image) != 3 || vips_image_get_format(image) != VIPS_FORMAT_UCHAR) return 1;
  if (vips_image_get_coding(image) != VIPS_CODING_NONE || !is_display(profile, length)) return 1;
  /* Behind the size that it names itself, a profile has nothing. */
  length = MIN(length, profile_number(profile));
  VipsImage *converted = vips_image_new();
  /* Freed with the image. */
  conversion *by = VIPS_NEW(converted, conversion);
  if (by == NULL || !fill(by, profile, length)) {
    /* What decoders have noted stays: it tells of pixels that are missing. */
    g_object_unref(converted);
    return 1;
  }
  if (vips_image_pipelinev(converted, VIPS_DEMAND_STYLE_THINSTRIP, image, NULL) != 0 ||
      vips_image_generate(converted, vips_start_one, convert, vips_stop_one, image, by) != 0) {
    g_object_unref(converted);
    return -1;
  }
  /* Computed when pixels are asked for: until then, what it is made of stays. */
  g_object_set_data_full(G_OBJECT(converted), "cvips-source", g_object_ref(image), g_object_unref);
  converted->Type = VIPS_INTERPRETATION_sRGB;
  vips_image_remove(converted, VIPS_META_ICC_NAME);
  *result = converted;
  return 0;
}
