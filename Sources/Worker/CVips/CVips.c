#define _GNU_SOURCE
#include "CVips.h"
#include "Images.h"

#include <dlfcn.h>
#include <gmodule.h>
#include <malloc.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <vips/vips.h>

/* What heif_init of libheif returns, whose headers are not needed otherwise. */
struct heif_error {
  int code, subcode;
  const char *message;
};

static const char *const readable_loaders[] = {
    "VipsForeignLoadJpeg", "VipsForeignLoadPng", "VipsForeignLoadWebp", "VipsForeignLoadHeif",
};

/* Nobody reads what libraries log: warnings that matter are in the error buffer. Writing the log would ask for the
   terminal, the journal and the local time. */
static GLogWriterOutput drop_log(GLogLevelFlags level, const GLogField *fields, gsize count, gpointer data) {
  (void)level, (void)fields, (void)count, (void)data;
  return G_LOG_WRITER_HANDLED;
}

/* liborc, with which libvips before 8.16 is built, compiles the inner loop of each resizing to machine code. The memory
   for that is both writable and executable. It is asked for with the first resizing, which is this one: afterwards the
   process may be forbidden to ask for more. */
static void compile_resizing(void) {
  VipsImage *picture = NULL, *reduced = NULL;
  if (vips_black(&picture, 64, 64, "bands", 3, NULL) != 0) return;
  if (vips_reducev(picture, &reduced, 2.0, NULL) == 0) g_object_unref(reduced);
  g_object_unref(picture);
}

int cvips_start(const char *program, int threads) {
  g_log_set_writer_func(drop_log, NULL, NULL);
  /* libvips loads every module below this folder: ImageMagick, poppler, OpenSlide and their dependencies. With a
     folder that does not exist it loads none, which is faster, smaller and safer. cvips_start_heif loads HEIF. */
  if (setenv("VIPSHOME", "/nonexistent", 1) != 0) return -1;
  /* Large pictures that cannot be read row by row go to memory: no file can be written here. The option "memory" of the
     loaders would say so too, but takes all rows of any picture to memory. */
  if (setenv("VIPS_DISC_THRESHOLD", "1000g", 1) != 0) return -1;
  /* Profiles carry dates. With a time zone set, none is read from a file. */
  if (setenv("TZ", "UTC0", 1) != 0) return -1;
  tzset();
  if (VIPS_INIT(program) != 0) return -1;
  vips_concurrency_set(threads);
  vips_cache_set_max(0);
  /* One arena for all threads, so that each reuses what the others have freed. */
  mallopt(M_ARENA_MAX, 1);
  vips_operation_block_set("VipsForeignLoad", TRUE);
  for (size_t index = 0; index < G_N_ELEMENTS(readable_loaders); index++) {
    vips_operation_block_set(readable_loaders[index], FALSE);
  }
  compile_resizing();
  return 0;
}

/* heif_get_version of libheif, once the module is loaded: it cannot be looked for later, in a closed file system. */
static const char *(*heif_version)(void) = NULL;

int cvips_start_heif(void) {
  if (cvips_has_operation("heifload_buffer")) return 0;
  Dl_info library;
  if (dladdr((void *)vips_concurrency_set, &library) == 0 || library.dli_fname == NULL) {
    vips_error("cvips", "%s", "the folder of libvips is unknown");
    return -1;
  }
  char *folder = g_path_get_dirname(library.dli_fname);
  char *path = g_strdup_printf("%s/vips-modules-%d.%d/vips-heif.so", folder, vips_version(0), vips_version(1));
  GModule *module = g_module_open(path, G_MODULE_BIND_LAZY | G_MODULE_BIND_LOCAL);
  g_free(path);
  g_free(folder);
  if (module == NULL) {
    vips_error("cvips", "%s", g_module_error());
    return -1;
  }
  g_module_make_resident(module);
  /* From version 1.14 on libheif has decoders in plugins of its own, which it loads here or at the first picture. */
  gpointer load_plugins = NULL;
  if (g_module_symbol(module, "heif_init", &load_plugins)) ((struct heif_error (*)(void *))load_plugins)(NULL);
  gpointer version = NULL;
  if (g_module_symbol(module, "heif_get_version", &version)) heif_version = (const char *(*)(void))version;
  return 0;
}

bool cvips_has_operation(const char *nickname) {
  VipsOperation *operation = vips_operation_new(nickname);
  if (operation == NULL) {
    vips_error_clear();
    return false;
  }
  bool is_usable = (vips_operation_get_flags(operation) & VIPS_OPERATION_BLOCKED) == 0;
  g_object_unref(operation);
  return is_usable;
}

int cvips_version(int part) { return vips_version(part); }

const char *cvips_heif_version(void) { return heif_version == NULL ? NULL : heif_version(); }

size_t cvips_take_error(char *text, size_t capacity) {
  char *noted = vips_error_buffer_copy();
  size_t length = g_strlcpy(text, noted, capacity);
  g_free(noted);
  return length < capacity ? length : capacity - 1;
}

void cvips_release(cvips_image *image) { g_object_unref(vips(image)); }

static VipsAccess access_of(bool sequential) { return sequential ? VIPS_ACCESS_SEQUENTIAL : VIPS_ACCESS_RANDOM; }

int cvips_load_jpeg(const void *bytes, size_t length, int shrink, bool sequential, cvips_image **image) {
  return vips_jpegload_buffer((void *)bytes, length, result_of(image), "shrink", shrink, "access",
                              access_of(sequential), "fail_on", VIPS_FAIL_ON_ERROR, NULL);
}

int cvips_load_png(const void *bytes, size_t length, bool sequential, cvips_image **image) {
  return vips_pngload_buffer((void *)bytes, length, result_of(image), "access", access_of(sequential), "fail_on",
                             VIPS_FAIL_ON_ERROR, NULL);
}

int cvips_load_webp(const void *bytes, size_t length, double scale, bool sequential, cvips_image **image) {
  return vips_webpload_buffer((void *)bytes, length, result_of(image), "scale", scale, "access",
                              access_of(sequential), "fail_on", VIPS_FAIL_ON_ERROR, NULL);
}

int cvips_load_heif(const void *bytes, size_t length, bool sequential, cvips_image **image) {
  return vips_heifload_buffer((void *)bytes, length, result_of(image), "access", access_of(sequential), "fail_on",
                              VIPS_FAIL_ON_ERROR, NULL);
}

int cvips_width(const cvips_image *image) { return vips_image_get_width(vips(image)); }
int cvips_height(const cvips_image *image) { return vips_image_get_height(vips(image)); }
int cvips_bands(const cvips_image *image) { return vips_image_get_bands(vips(image)); }

int cvips_bits_per_band(const cvips_image *image) {
  return (int)(8 * vips_format_sizeof(vips_image_get_format(vips(image))));
}

cvips_colour cvips_colour_model(const cvips_image *image) {
  switch (vips_image_get_interpretation(vips(image))) {
    case VIPS_INTERPRETATION_B_W:
    case VIPS_INTERPRETATION_GREY16:
      return CVIPS_COLOUR_GREY;
    case VIPS_INTERPRETATION_sRGB:
    case VIPS_INTERPRETATION_RGB:
    case VIPS_INTERPRETATION_RGB16:
      return CVIPS_COLOUR_RGB;
    case VIPS_INTERPRETATION_CMYK:
      return CVIPS_COLOUR_CMYK;
    default:
      return CVIPS_COLOUR_OTHER;
  }
}

bool cvips_has_alpha(cvips_image *image) { return vips_image_hasalpha(vips(image)); }
int cvips_orientation(cvips_image *image) { return vips_image_get_orientation(vips(image)); }

bool cvips_has_field(const cvips_image *image, const char *name) {
  return vips_image_get_typeof(vips(image), name) != 0;
}

bool cvips_has_field_beginning(const cvips_image *image, const char *prefix) {
  char **names = vips_image_get_fields(vips(image));
  bool is_found = false;
  for (char **name = names; name != NULL && *name != NULL && !is_found; name++) {
    is_found = g_str_has_prefix(*name, prefix);
  }
  g_strfreev(names);
  return is_found;
}

bool cvips_field_begins(const cvips_image *image, const char *name, const char *prefix) {
  const char *text = NULL;
  if (vips_image_get_typeof(vips(image), name) != VIPS_TYPE_REF_STRING) return false;
  if (vips_image_get_string(vips(image), name, &text) != 0) return false;
  return g_str_has_prefix(text, prefix);
}

int cvips_extract(cvips_image *image, int left, int top, int width, int height, cvips_image **result) {
  return vips_extract_area(vips(image), result_of(result), left, top, width, height, NULL);
}

int cvips_resize(cvips_image *image, double horizontal, double vertical, cvips_image **result) {
  return vips_resize(vips(image), result_of(result), horizontal, "vscale", vertical, NULL);
}

int cvips_resize_to(cvips_image *image, int width, int height, cvips_image **result) {
  return vips_thumbnail_image(vips(image), result_of(result), width, "height", height, "size", VIPS_SIZE_FORCE, NULL);
}

int cvips_embed(cvips_image *image, int width, int height, cvips_image **result) {
  return vips_embed(vips(image), result_of(result), 0, 0, width, height, "extend", VIPS_EXTEND_BLACK, NULL);
}

int cvips_replicate(cvips_image *image, int across, int down, cvips_image **result) {
  return vips_replicate(vips(image), result_of(result), across, down, NULL);
}

int cvips_blend(cvips_image *image, cvips_image *over, cvips_image *opacity, cvips_image **result) {
  return vips_ifthenelse(vips(opacity), vips(over), vips(image), result_of(result), "blend", TRUE, NULL);
}

int cvips_flatten(cvips_image *image, double grey, cvips_image **result) {
  double white = cvips_bits_per_band(image) == 16 ? 65535 : 255;
  VipsArrayDouble *background = vips_array_double_newv(1, grey * white);
  int status =
      vips_flatten(vips(image), result_of(result), "background", background, "max_alpha", white, NULL);
  vips_area_unref(VIPS_AREA(background));
  return status;
}

int cvips_colours(cvips_image *image, cvips_image **result) {
  return vips_extract_band(vips(image), result_of(result), 0, "n", vips_image_get_bands(vips(image)) - 1, NULL);
}

int cvips_alpha(cvips_image *image, cvips_image **result) {
  VipsImage *alpha;
  if (vips_extract_band(vips(image), &alpha, vips_image_get_bands(vips(image)) - 1, NULL) != 0) return -1;
  // Of 16 bits, the upper eight.
  double factor = cvips_bits_per_band(image) == 16 ? 1.0 / 257 : 1;
  int status = vips_linear1(alpha, result_of(result), factor, 0, "uchar", TRUE, NULL);
  g_object_unref(alpha);
  return status;
}

int cvips_to_srgb(cvips_image *image, cvips_image **result) {
  if (vips_image_get_interpretation(vips(image)) == VIPS_INTERPRETATION_sRGB &&
      vips_image_get_format(vips(image)) == VIPS_FORMAT_UCHAR) {
    g_object_ref(vips(image));
    *result = image;
    return 0;
  }
  return vips_colourspace(vips(image), result_of(result), VIPS_INTERPRETATION_sRGB, NULL);
}

int cvips_to_bytes(cvips_image *image, cvips_image **result) {
  return vips_cast(vips(image), result_of(result), VIPS_FORMAT_UCHAR, NULL);
}

int cvips_upright(cvips_image *image, cvips_image **result) {
  return vips_autorot(vips(image), result_of(result), NULL);
}

int cvips_upright_from(cvips_image *image, int orientation, cvips_image **result) {
  VipsImage *copy;
  if (vips_copy(vips(image), &copy, NULL) != 0) return -1;
  vips_image_set_int(copy, VIPS_META_ORIENTATION, orientation);
  int status = vips_autorot(copy, result_of(result), NULL);
  g_object_unref(copy);
  return status;
}

int cvips_turn(cvips_image *image, int quarter_turns, cvips_image **result) {
  /* VipsAngle counts clockwise quarter turns from 0. */
  return vips_rot(vips(image), result_of(result), (VipsAngle)(quarter_turns & 3), NULL);
}

int cvips_copy_to_memory(cvips_image *image, cvips_image **result) {
  *result_of(result) = vips_image_copy_memory(vips(image));
  return *result == NULL ? -1 : 0;
}

/* Called for strips of all columns, from the top. */
static int copy_strip(VipsRegion *region, VipsRect *strip, void *pixels) {
  size_t row_bytes = VIPS_IMAGE_SIZEOF_LINE(region->im);
  for (int y = strip->top; y < VIPS_RECT_BOTTOM(strip); y++) {
    memcpy((unsigned char *)pixels + (size_t)y * row_bytes, VIPS_REGION_ADDR(region, 0, y), row_bytes);
  }
  return 0;
}

int cvips_read_pixels(cvips_image *image, void *pixels, size_t capacity) {
  VipsBandFormat format = vips_image_get_format(vips(image));
  if (format != VIPS_FORMAT_UCHAR && format != VIPS_FORMAT_USHORT) {
    vips_error("cvips", "%s", "the image has neither 8 nor 16 bits a band");
    return -1;
  }
  if (VIPS_IMAGE_SIZEOF_IMAGE(vips(image)) != capacity) {
    vips_error("cvips", "%s", "the pixels do not fit the space given");
    return -1;
  }
  if (!vips_image_ispartial(vips(image)) && vips_image_wio_input(vips(image)) == 0) {
    memcpy(pixels, VIPS_IMAGE_ADDR(vips(image), 0, 0), capacity);
    return 0;
  }
  return vips_sink_disc(vips(image), copy_strip, pixels);
}

int cvips_image_of_pixels(const void *pixels, int width, int height, int bands, cvips_image **image) {
  size_t length = (size_t)width * (size_t)height * (size_t)bands;
  VipsImage *raw = vips_image_new_from_memory_copy(pixels, length, width, height, bands, VIPS_FORMAT_UCHAR);
  if (raw == NULL) return -1;
  VipsInterpretation colours = bands == 1 ? VIPS_INTERPRETATION_B_W : VIPS_INTERPRETATION_sRGB;
  int status = vips_copy(raw, result_of(image), "interpretation", colours, NULL);
  g_object_unref(raw);
  return status;
}

int cvips_with_density(cvips_image *image, double across, double down, cvips_image **result) {
  return vips_copy(vips(image), result_of(result), "xres", across, "yres", down, NULL);
}

int cvips_save_jpeg(cvips_image *image, int quality, void **bytes, size_t *length) {
  return vips_jpegsave_buffer(vips(image), bytes, length, "Q", quality, "strip", TRUE, "optimize_coding", TRUE, NULL);
}

int cvips_save_png(cvips_image *image, void **bytes, size_t *length) {
  return vips_pngsave_buffer(vips(image), bytes, length, "strip", TRUE, NULL);
}

int cvips_save_webp(cvips_image *image, int quality, void **bytes, size_t *length) {
  return vips_webpsave_buffer(vips(image), bytes, length, "Q", quality, "strip", TRUE, NULL);
}

void cvips_free(void *bytes) { g_free(bytes); }

size_t cvips_srgb_profile(void *bytes, size_t capacity) {
  VipsBlob *profile = NULL;
  if (vips_profile_load("srgb", &profile, NULL) != 0 || profile == NULL) return 0;
  size_t length = 0;
  const void *data = vips_blob_get(profile, &length);
  memcpy(bytes, data, length < capacity ? length : capacity);
  vips_area_unref(VIPS_AREA(profile));
  return length;
}

void cvips_keep_memory(bool keeps) {
  /* Larger blocks are mapped, and unmapped when freed: the decoded pictures. Smaller ones, the planes of the matting, are
     used again and again; the kernel would have to clear each of their pages anew. */
  mallopt(M_MMAP_THRESHOLD, keeps ? 5 << 20 : 128 << 10);
  mallopt(M_TRIM_THRESHOLD, keeps ? 512 << 20 : 128 << 10);
  if (!keeps) malloc_trim(0);
}
