#include "Reader.h"

#include <math.h>
#include <stdlib.h>

void cpdfr_picture_size(cpdfr_picture const *picture, int *width, int *height)
{
    *width = picture->image->w;
    *height = picture->image->h;
}

cpdfr_matrix cpdfr_picture_place(cpdfr_picture const *picture)
{
    fz_matrix const m = picture->place;
    return (cpdfr_matrix){m.a, m.b, m.c, m.d, m.e, m.f};
}

int cpdfr_picture_is_plain(cpdfr_picture const *picture) { return picture->is_plain; }

/* The maximum distance of values (0 to 1) from sRGB that still count as sRGB. Gray of gamma 2.2
 * differs by 0.03 at its darkest. */
static float const nearly = 0.035f;

/* True if a space's numbers look like those of gray or sRGB, as device spaces' do by definition. */
static int is_like_screen(fz_context *context, fz_colorspace *space)
{
    int const count = fz_colorspace_n(context, space);
    enum fz_colorspace_type const type = fz_colorspace_type(context, space);
    if (!(count == 1 && type == FZ_COLORSPACE_GRAY) && !(count == 3 && type == FZ_COLORSPACE_RGB))
        return 0;
    if (fz_colorspace_is_device(context, space)) return 1;
    int const steps = 4;
    int const colors = count == 1 ? steps + 1 : (steps + 1) * (steps + 1) * (steps + 1);
    for (int index = 0; index < colors; index++) {
        float color[FZ_MAX_COLORS] = {0}, rgb[FZ_MAX_COLORS] = {0};
        for (int part = 0, rest = index; part < count; part++, rest /= steps + 1)
            color[part] = (float)(rest % (steps + 1)) / (float)steps;
        fz_convert_color(
            context, space, color, fz_device_rgb(context), rgb, NULL, fz_default_color_params);
        for (int part = 0; part < 3; part++)
            if (fabsf(rgb[part] - color[count == 1 ? 0 : part]) > nearly) return 0;
    }
    return 1;
}

static fz_context *context_of(cpdfr_page const *page) { return page->document->context; }

unsigned char const *cpdfr_picture_jpeg(
    cpdfr_page *page, cpdfr_picture const *picture, size_t *length)
{
    fz_context *context = context_of(page);
    fz_image *image = picture->image;
    unsigned char *data = NULL;
    fz_var(data);
    *length = 0;
    fz_try(context)
    {
        fz_compressed_buffer *coded = fz_compressed_image_buffer(context, image);
        int const is_jpeg = coded && coded->params.type == FZ_IMAGE_JPEG &&
                            coded->params.u.jpeg.color_transform == -1;
        if (is_jpeg && !image->use_decode && image->colorspace &&
            is_like_screen(context, image->colorspace))
            *length = fz_buffer_storage(context, coded->buffer, &data);
    }
    fz_catch(context)
    {
        data = NULL;
        *length = 0;
    }
    return data;
}

int cpdfr_picture_lab(cpdfr_page *page, cpdfr_picture const *picture, float ranges[6])
{
    fz_image const *image = picture->image;
    if (!image->colorspace || !fz_colorspace_is_lab(context_of(page), image->colorspace)) return 0;
    for (int index = 0; index < 6; index++) ranges[index] = image->decode[index];
    return 1;
}

int cpdfr_picture_decode(cpdfr_page *page, cpdfr_picture *picture, int wants_inks)
{
    fz_context *context = context_of(page);
    fz_image *image = picture->image;
    fz_pixmap *raw = NULL;
    fz_var(raw);
    int const is_lab = image->colorspace && fz_colorspace_is_lab(context, image->colorspace);
    unsigned int const use_decode = image->use_decode;
    /* MuPDF clips samples at 0 and 255 when it maps them to the ranges of Lab. */
    if (is_lab) image->use_decode = 0;
    fz_try(context)
    {
        raw = fz_get_pixmap_from_image(context, picture->image, NULL, NULL, NULL, NULL);
        int const are_inks = wants_inks && raw->n == 4 && !raw->alpha && raw->colorspace &&
                             fz_colorspace_type(context, raw->colorspace) == FZ_COLORSPACE_CMYK;
        if (are_inks || is_lab) {
            /* The samples stay as they are. */
        } else if (!raw->colorspace || raw->alpha || !is_like_screen(context, raw->colorspace)) {
            fz_pixmap *converted = fz_convert_pixmap(
                context, raw, fz_device_rgb(context), NULL, NULL, fz_default_color_params, 0);
            fz_drop_pixmap(context, raw);
            raw = converted;
        }
        picture->pixels = fz_keep_pixmap(context, raw);
    }
    fz_always(context)
    {
        fz_drop_pixmap(context, raw);
        image->use_decode = use_decode & 1;
    }
    fz_catch(context)
    {
        page->cookie.errors++;
        return 0;
    }
    return picture->pixels->n;
}

unsigned char const *cpdfr_picture_samples(cpdfr_picture const *picture, size_t *stride)
{
    *stride = picture->pixels ? (size_t)picture->pixels->stride : 0;
    return picture->pixels ? picture->pixels->samples : NULL;
}

void cpdfr_picture_forget(cpdfr_page *page, cpdfr_picture *picture)
{
    fz_drop_pixmap(context_of(page), picture->pixels);
    picture->pixels = NULL;
}
