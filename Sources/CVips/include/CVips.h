/// What atelier-imaging needs of libvips, in plain C types.
///
/// The functions of libvips take variable arguments, which Swift cannot call. Every function here is one call of
/// libvips with its arguments spelled out; functions returning `int` return 0, or -1 with the reason in
/// cvips_take_error. Images are reference-counted: whoever receives one releases it once with cvips_release.
#ifndef CVIPS_H
#define CVIPS_H

#include "confinement.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct cvips_image cvips_image;

/// Loads libvips for a program that decodes what it does not trust: a small pool of threads, no cache of operations,
/// none of the modules for other formats, and of the built-in loaders only JPEG, PNG and WebP.
int cvips_start(const char *program, int threads);

/// Loads the module for HEIC and AVIF, which is large, when it is needed; harmless when it is loaded already.
int cvips_start_heif(void);

/// True when libvips has that operation and it is not blocked, such as "heifload_buffer".
bool cvips_has_operation(const char *nickname);

/// part 0 is the major, 1 the minor, 2 the micro version.
int cvips_version(int part);

/// Copies what libvips has noted as errors and warnings since the last call, cut to fit and terminated, and
/// forgets it. Returns the length of the copy; 0 means nothing was noted.
size_t cvips_take_error(char *text, size_t capacity);

void cvips_release(cvips_image *image);

/// Loading reads the header at once and decodes when pixels are asked for. `bytes` must stay as they are until the
/// image and all made of it are released. `sequential` promises that rows are asked for once, from the top.
/// Broken and truncated data fail instead of yielding grey.
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
/// The EXIF orientation, 1…8; 1 where none is noted.
int cvips_orientation(cvips_image *image);
/// True when a piece of metadata of that name is there, such as "exif-data".
bool cvips_has_field(const cvips_image *image, const char *name);
/// True when a piece of metadata is there whose name begins so.
bool cvips_has_field_beginning(const cvips_image *image, const char *prefix);

int cvips_extract(cvips_image *image, int left, int top, int width, int height, cvips_image **result);
int cvips_resize(cvips_image *image, double horizontal, double vertical, cvips_image **result);
/// Lays the image on white where it is transparent; the result has no alpha.
int cvips_flatten_on_white(cvips_image *image, cvips_image **result);
/// To sRGB by the embedded profile or, where there is none, by `fallback` ("cmyk", or NULL for none).
int cvips_to_srgb_by_profile(cvips_image *image, const char *fallback, cvips_image **result);
/// To sRGB by what the numbers are said to mean, without a profile.
int cvips_to_srgb(cvips_image *image, cvips_image **result);
/// To 8 bits a band.
int cvips_to_bytes(cvips_image *image, cvips_image **result);
/// Turns and mirrors the image as its orientation says.
int cvips_upright(cvips_image *image, cvips_image **result);
/// Computes every pixel now; the result needs neither its source nor the encoded bytes.
int cvips_copy_to_memory(cvips_image *image, cvips_image **result);

/// Copies the pixels of an image with 8 bits a band, rows from the top, without padding. `capacity` must be
/// width × height × bands.
int cvips_read_pixels(cvips_image *image, void *pixels, size_t capacity);
/// An sRGB image of 3 bands over a copy of `pixels`, which are width × height × 3 bytes.
int cvips_image_of_pixels(const void *pixels, int width, int height, cvips_image **image);

/// Encodes without any metadata. On success `bytes` is released with cvips_free.
int cvips_save_jpeg(cvips_image *image, int quality, void **bytes, size_t *length);
void cvips_free(void *bytes);

/// Returns the memory that is free to the system; for after a job.
void cvips_give_back_memory(void);

#endif
