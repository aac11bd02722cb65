#ifndef CVIPS_MATRIX_H
#define CVIPS_MATRIX_H

#include <stdbool.h>
#include <stddef.h>
#include <vips/vips.h>

/* Converts an image by its profile to sRGB with tables and a matrix, as lcms does but faster; nobody sees a difference of
   one level. Only where the profile is one of Display P3 or sRGB, as telephones and cameras embed, made of three colours and
   three curves, and the image has three bands of 8 bits.
   Returns 1 for all other profiles and images: nothing was made; otherwise 0, or -1 with an error. */
int cvips_by_matrix(VipsImage *image, const unsigned char *profile, size_t length, VipsImage **result);

#endif
