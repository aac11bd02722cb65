#include "CVips.h"
#include "Images.h"
#include "Matrix.h"
#include "Profiles.h"

#include <vips/vips.h>

static const unsigned char *profile_of(const cvips_image *image, size_t *length) {
  const void *profile = NULL;
  if (!cvips_has_field(image, VIPS_META_ICC_NAME)) return NULL;
  if (vips_image_get_blob(vips(image), VIPS_META_ICC_NAME, &profile, length) != 0) return NULL;
  return profile;
}

/* Whether a profile says for the relative intent what its numbers stand for: by a table, or for all intents by the
   colours of red, green and blue, or the tone of gray. */
static bool is_relative(const unsigned char *profile, size_t length) {
  return cvips_profile_has(profile, length, "A2B1") || cvips_profile_has(profile, length, "rXYZ") ||
         cvips_profile_has(profile, length, "kTRC");
}

/* The intent by which a profile is read: relative, unless it has a table for the perceptual one alone, such as those of
   scanners and of JPEG in XYB. libvips would ignore such a profile without a word. */
static VipsIntent intent_of(const cvips_image *image) {
  size_t length = 0;
  const unsigned char *profile = profile_of(image, &length);
  bool is_perceptual = cvips_profile_has(profile, length, "A2B0") && !is_relative(profile, length);
  return is_perceptual ? VIPS_INTENT_PERCEPTUAL : VIPS_INTENT_RELATIVE;
}

bool cvips_profile_fits(const cvips_image *image) {
  size_t length = 0;
  const unsigned char *profile = profile_of(image, &length);
  return (is_relative(profile, length) || cvips_profile_has(profile, length, "A2B0")) &&
         vips_icc_is_compatible_profile(vips(image), profile, length);
}

int cvips_to_srgb_by_profile(cvips_image *image, const char *fallback, cvips_image **result) {
  if (fallback == NULL) {
    size_t length = 0;
    const unsigned char *profile = profile_of(image, &length);
    int status = cvips_by_matrix(vips(image), profile, length, result_of(result));
    if (status <= 0) return status;
    return vips_icc_transform(vips(image), result_of(result), "srgb", "embedded", TRUE, "intent", intent_of(image),
                              "black_point_compensation", TRUE, "depth", 8, NULL);
  }
  return vips_icc_transform(vips(image), result_of(result), "srgb", "embedded", TRUE, "input_profile", fallback,
                            "intent", intent_of(image), "black_point_compensation", TRUE, "depth", 8, NULL);
}

/* Numbers with fractions become those of the image's format, the nearest. */
static int rounded_as(VipsImage *image, const VipsImage *format, cvips_image **result) {
  VipsImage *raised;
  if (vips_linear1(image, &raised, 1.0, 0.5, NULL) != 0) return -1;
  int status = vips_cast(raised, result_of(result), vips_image_get_format(format), NULL);
  g_object_unref(raised);
  return status;
}

int cvips_unpremultiply(cvips_image *image, cvips_image **result) {
  double white = cvips_bits_per_band(image) == 16 ? 65535 : 255;
  VipsImage *divided;
  if (vips_unpremultiply(vips(image), &divided, "max_alpha", white, NULL) != 0) return -1;
  int status = rounded_as(divided, vips(image), result);
  g_object_unref(divided);
  return status;
}

int cvips_widen_range(cvips_image *image, cvips_image **result) {
  bool is_wide = cvips_bits_per_band(image) == 16;
  double unit = is_wide ? 256 : 1;
  double factors[4], offsets[4];
  int bands = vips_image_get_bands(vips(image));
  if (bands > 4) {
    vips_error("cvips", "%d bands are no picture of a limited range", bands);
    return -1;
  }
  for (int band = 0; band < bands; band++) {
    bool is_alpha = band == bands - 1 && cvips_has_alpha(image);
    factors[band] = is_alpha ? 1 : (is_wide ? 65535 : 255) / (219 * unit);
    offsets[band] = is_alpha ? 0 : -16 * unit * factors[band];
  }
  VipsImage *widened;
  if (vips_linear(vips(image), &widened, factors, offsets, bands, NULL) != 0) return -1;
  int status = rounded_as(widened, vips(image), result);
  g_object_unref(widened);
  return status;
}
