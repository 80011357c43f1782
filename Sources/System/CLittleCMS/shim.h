#pragma once
#include <lcms2.h>

/* Pixel formats are macros that Swift can't import. `space` is a PT_ number; `isReversed` is
 * true for inks in which 0 is full ink. */
static inline cmsUInt32Number copystand_lcms_format(cmsUInt32Number space, cmsUInt32Number channels,
    cmsUInt32Number extra, cmsUInt32Number bytes, cmsUInt32Number isReversed)
{
    return COLORSPACE_SH(space) | CHANNELS_SH(channels) | EXTRA_SH(extra) | BYTES_SH(bytes) |
           FLAVOR_SH(isReversed);
}
