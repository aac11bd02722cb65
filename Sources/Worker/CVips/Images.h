#ifndef CVIPS_IMAGES_H
#define CVIPS_IMAGES_H

#include "CVips.h"

#include <vips/vips.h>

/* A cvips_image is a VipsImage; the other name keeps the headers of GLib out of CVips.h. */
static inline VipsImage *vips(const cvips_image *image) { return (VipsImage *)image; }
static inline VipsImage **result_of(cvips_image **image) { return (VipsImage **)image; }

#endif
