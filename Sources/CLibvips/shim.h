/* The system library's own header; only the C target CVips includes it. pkg-config supplies the flags. */
#include <vips/vips.h>
