/* The C library's own header, which its Swift module leaves out. */
#include <malloc.h>
