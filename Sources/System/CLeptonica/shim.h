#pragma once
#include <allheaders.h>
/* From version 1.83 on, the structures of pictures are in a separate header. */
#if __has_include(<pix_internal.h>)
#include <pix_internal.h>
#endif
