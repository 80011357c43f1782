#define _GNU_SOURCE
#include "CLinePictures.h"

#include <dlfcn.h>

l_ok pixWriteMem(l_uint8 **data, size_t *size, PIX *picture, l_int32 format)
{
    if (format == IFF_PNG) return pixWriteMemSpix(data, size, picture);
    l_ok (*next)(l_uint8 **, size_t *, PIX *, l_int32) =
        (l_ok (*)(l_uint8 **, size_t *, PIX *, l_int32))dlsym(RTLD_NEXT, "pixWriteMem");
    return next ? next(data, size, picture, format) : 1;
}
