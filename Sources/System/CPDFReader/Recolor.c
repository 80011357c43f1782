#include "Reader.h"

#include <string.h>

cpdfr_status cpdfr_picture_recolor(
    cpdfr_page *page, cpdfr_picture *picture, unsigned char const *rows, int components)
{
    fz_context *context = page->document->context;
    fz_image *image = picture->image;
    cpdfr_status status = CPDFR_OK;
    fz_pixmap *pixels = NULL;
    fz_var(pixels);
    if (image->use_colorkey || picture->recolored) return status;
    fz_try(context)
    {
        fz_colorspace *space = components == 1 ? fz_device_gray(context) : fz_device_rgb(context);
        pixels = fz_new_pixmap(context, space, image->w, image->h, NULL, 0);
        size_t const row = (size_t)image->w * (size_t)components;
        for (int y = 0; y < image->h; y++)
            memcpy(pixels->samples + y * pixels->stride, rows + (size_t)y * row, row);
        picture->recolored = fz_new_image_from_pixmap(context, pixels, image->mask);
        picture->recolored->interpolate = image->interpolate;
    }
    fz_always(context) { fz_drop_pixmap(context, pixels); }
    fz_catch(context) { status = cpdfr_caught(context, NULL); }
    return status;
}

static fz_image *recolored(cpdfr_page const *page, fz_image const *image)
{
    for (int index = 0; index < page->count; index++)
        if (page->pictures[index].image == image && page->pictures[index].recolored)
            return page->pictures[index].recolored;
    return NULL;
}

int cpdfr_picture_is_recolored(cpdfr_page const *page, cpdfr_picture const *picture)
{ return recolored(page, picture->image) != NULL; }

static void fill_image(fz_context *context, fz_device *device, fz_image *image, fz_matrix ctm,
    float alpha, fz_color_params how)
{
    cpdfr_page *page = fz_user_context(context);
    fz_image *other = recolored(page, image);
    page->fill_image(context, device, other ? other : image, ctm, alpha, how);
}

void cpdfr_run(cpdfr_page *page, fz_device *device, fz_matrix scale, fz_rect box)
{
    fz_context *context = page->document->context;
    fz_set_user_context(context, page);
    page->fill_image = device->fill_image;
    device->fill_image = fill_image;
    fz_run_display_list(context, page->list, device, scale, box, &page->cookie);
}
