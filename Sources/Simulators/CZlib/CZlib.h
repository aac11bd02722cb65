/* Compression and check values, of zlib1g-dev, which libvips-dev brings along. */
#include <zlib.h>
