/// The parts of libvips that atelier-imaging uses, with plain C types.
///
/// The functions of libvips take variable arguments, which Swift cannot call. Most functions here are one call of
/// libvips with fixed arguments; functions that return `int` return 0, or -1 with the reason in cvips_take_error.
/// Images are reference-counted: whoever receives one releases it once with cvips_release.
#ifndef CVIPS_H
#define CVIPS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cvips_image cvips_image;

/// Loads libvips for a program that decodes untrusted files: a small thread pool, no cache of operations, no modules
/// for other formats, and of the built-in loaders only JPEG, PNG and WebP.
int cvips_start(const char *program, int threads);

/// Loads the module for HEIC and AVIF with its decoders; repeated calls have no effect.
int cvips_start_heif(void);

/// True when libvips has the operation, such as "heifload_buffer", and it is not blocked.
bool cvips_has_operation(const char *nickname);

/// part 0 is the major, 1 the minor, 2 the micro version.
int cvips_version(int part);
/// The version of libheif, such as "1.15.1"; NULL when its module is not loaded.
const char *cvips_heif_version(void);

/// Copies the errors and warnings that libvips has recorded since the last call, truncated to fit and terminated, and
/// clears them. Returns the length of the copy; 0 means that there are none.
size_t cvips_take_error(char *text, size_t capacity);

void cvips_release(cvips_image *image);

/// Loading reads the header at once and decodes when pixels are requested. `bytes` must remain unchanged until the
/// image and all images made from it are released. `sequential` promises that each row is requested once, from the
/// top. Damaged and truncated data fail instead of giving grey pixels.
int cvips_load_jpeg(const void *bytes, size_t length, int shrink, bool sequential, cvips_image **image);
int cvips_load_png(const void *bytes, size_t length, bool sequential, cvips_image **image);
int cvips_load_webp(const void *bytes, size_t length, double scale, bool sequential, cvips_image **image);
int cvips_load_heif(const void *bytes, size_t length, bool sequential, cvips_image **image);

typedef enum {
  CVIPS_COLOUR_GREY,
  CVIPS_COLOUR_RGB,
  CVIPS_COLOUR_CMYK,
  CVIPS_COLOUR_OTHER
} cvips_colour;

int cvips_width(const cvips_image *image);
int cvips_height(const cvips_image *image);
int cvips_bands(const cvips_image *image);
/// The size of one band of one pixel in memory.
int cvips_bits_per_band(const cvips_image *image);
cvips_colour cvips_colour_model(const cvips_image *image);
bool cvips_has_alpha(cvips_image *image);
/// The EXIF orientation, 1…8; 1 if there is none.
int cvips_orientation(cvips_image *image);
/// True when the image has a metadata field of this name, such as "exif-data".
bool cvips_has_field(const cvips_image *image, const char *name);
/// True when the image has a metadata field whose name begins with `prefix`.
bool cvips_has_field_beginning(const cvips_image *image, const char *prefix);
/// True when the image has a metadata field of this name that is a text and begins with `prefix`.
bool cvips_field_begins(const cvips_image *image, const char *name, const char *prefix);

int cvips_extract(cvips_image *image, int left, int top, int width, int height, cvips_image **result);
int cvips_resize(cvips_image *image, double horizontal, double vertical, cvips_image **result);
/// Makes each square of `factor` × `factor` pixels one, their mean; at once where the image is computed.
int cvips_shrink(cvips_image *image, int factor, cvips_image **result);
/// Scales an image, whose last band is alpha if it has one, to exactly these sides. Transparent pixels add no colour.
int cvips_resize_to(cvips_image *image, int width, int height, cvips_image **result);
/// Adds transparent or black pixels to the right and below.
int cvips_embed(cvips_image *image, int width, int height, cvips_image **result);
/// Repeats the image so many times.
int cvips_replicate(cvips_image *image, int across, int down, cvips_image **result);
/// The image with another of the same sides and bands over it, as opaque as `opacity` says in one band of 8 bits.
int cvips_blend(cvips_image *image, cvips_image *over, cvips_image *opacity, cvips_image **result);
/// Puts the image on a grey background, 0 (black) to 1 (white); the result has no alpha.
int cvips_flatten(cvips_image *image, double grey, cvips_image **result);
/// All bands but the last, which is alpha.
int cvips_colours(cvips_image *image, cvips_image **result);
/// The last band, alpha, in 8 bits.
int cvips_alpha(cvips_image *image, cvips_image **result);
/// True when the embedded profile can be read and is one for the image's colour model.
bool cvips_profile_fits(const cvips_image *image);
/// Converts to sRGB by the embedded profile or, without one, by `fallback` ("cmyk", or NULL for none).
int cvips_to_srgb_by_profile(cvips_image *image, const char *fallback, cvips_image **result);
/// Converts to sRGB by the colour model that the image declares, without a profile.
int cvips_to_srgb(cvips_image *image, cvips_image **result);
/// Converts to 8 bits per band.
int cvips_to_bytes(cvips_image *image, cvips_image **result);
/// Rotates and mirrors the image according to its orientation.
int cvips_upright(cvips_image *image, cvips_image **result);
/// The same according to this EXIF orientation, whatever the image says.
int cvips_upright_from(cvips_image *image, int orientation, cvips_image **result);
/// Divides the colours by alpha, the last band.
int cvips_unpremultiply(cvips_image *image, cvips_image **result);
/// Makes the colours of the limited range, 16 to 235 of 255, those of the full range; alpha remains.
int cvips_widen_range(cvips_image *image, cvips_image **result);
/// Turned clockwise by 0 to 3 quarter turns.
int cvips_turn(cvips_image *image, int quarter_turns, cvips_image **result);
/// Computes every pixel now; the result needs neither its source nor the encoded bytes.
int cvips_copy_to_memory(cvips_image *image, cvips_image **result);

/// Copies the pixels of an image with 8 or 16 bits per band, rows from the top, without padding. `capacity` is in bytes
/// and must be width × height × bands, for 16 bits twice as much.
int cvips_read_pixels(cvips_image *image, void *pixels, size_t capacity);
/// An image over a copy of `pixels`, which are width × height × bands bytes: grey of 1 band, sRGB of 3, or of 4 with the
/// opacity.
int cvips_image_of_pixels(const void *pixels, int width, int height, int bands, cvips_image **image);

/// The same image, to be printed with so many pixels per millimetre across and down.
int cvips_with_density(cvips_image *image, double across, double down, cvips_image **result);

/// Encodes without metadata but the density of PNG and, as EXIF, of WebP. On success the caller releases `bytes` with
/// cvips_free.
int cvips_save_jpeg(cvips_image *image, int quality, void **bytes, size_t *length);
int cvips_save_png(cvips_image *image, void **bytes, size_t *length);
int cvips_save_webp(cvips_image *image, int quality, void **bytes, size_t *length);
void cvips_free(void *bytes);

/// Copies the ICC profile of sRGB that is built into libvips, at most `capacity` bytes. Returns its length, also if that is
/// more; 0 if there is none.
size_t cvips_srgb_profile(void *bytes, size_t capacity);

/// Whether freed memory is kept for the next use, or returned to the system at once.
void cvips_keep_memory(bool keeps);

#endif
