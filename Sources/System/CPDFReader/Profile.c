#include "Reader.h"

/* Debian's MuPDF is built without color management, and does not keep profiles. So they are read
 * from the page's own objects. */

enum { most_depth = 8, most_objects = 10000 };

typedef struct {
    fz_context *context;
    pdf_document *file;
    fz_image *image;
    int objects;
    pdf_obj *profile;
} search;

/* The stream of a space's profile; for a palette, that of its colors' space. */
static pdf_obj *profile_of(fz_context *context, pdf_obj *space)
{
    if (pdf_is_array(context, space) &&
        pdf_name_eq(context, pdf_array_get(context, space, 0), PDF_NAME(Indexed)))
        space = pdf_array_get(context, space, 1);
    if (!pdf_is_array(context, space) ||
        !pdf_name_eq(context, pdf_array_get(context, space, 0), PDF_NAME(ICCBased)))
        return NULL;
    return pdf_array_get(context, space, 1);
}

/* MuPDF caches the pictures that are in use, so loading an object again gives the same one. */
static int is_drawn_as(search *it, pdf_obj *object)
{
    fz_context *context = it->context;
    if (pdf_dict_get_int(context, object, PDF_NAME(Width)) != it->image->w) return 0;
    if (pdf_dict_get_int(context, object, PDF_NAME(Height)) != it->image->h) return 0;
    fz_image *loaded = pdf_load_image(context, it->file, object);
    int const is_same = loaded == it->image;
    fz_drop_image(context, loaded);
    return is_same;
}

static void look(search *it, pdf_obj *resources, int depth)
{
    fz_context *context = it->context;
    pdf_obj *objects = pdf_dict_get(context, resources, PDF_NAME(XObject));
    int const count = pdf_dict_len(context, objects);
    for (int index = 0; index < count && it->objects < most_objects && !it->profile;
         index++, it->objects++) {
        pdf_obj *object = pdf_dict_get_val(context, objects, index);
        pdf_obj *kind = pdf_dict_get(context, object, PDF_NAME(Subtype));
        if (pdf_name_eq(context, kind, PDF_NAME(Form)) && depth < most_depth)
            look(it, pdf_dict_get(context, object, PDF_NAME(Resources)), depth + 1);
        if (!pdf_name_eq(context, kind, PDF_NAME(Image))) continue;
        if (!is_drawn_as(it, object)) continue;
        it->profile = profile_of(context, pdf_dict_get(context, object, PDF_NAME(ColorSpace)));
    }
}

unsigned char const *cpdfr_picture_profile(
    cpdfr_page *page, cpdfr_picture const *picture, size_t *length, int *components)
{
    fz_context *context = page->document->context;
    unsigned char *data = NULL;
    fz_var(data);
    *length = 0;
    *components = 0;
    fz_try(context)
    {
        pdf_document *file = pdf_document_from_fz_document(context, page->document->file);
        pdf_obj *object = pdf_lookup_page_obj(context, file, page->index);
        search it = {.context = context, .file = file, .image = picture->image};
        look(&it, pdf_dict_get_inheritable(context, object, PDF_NAME(Resources)), 0);
        if (it.profile) {
            *components = pdf_dict_get_int(context, it.profile, PDF_NAME(N));
            fz_drop_buffer(context, page->profile);
            page->profile = NULL;
            page->profile = pdf_load_stream(context, it.profile);
            *length = fz_buffer_storage(context, page->profile, &data);
        }
    }
    fz_catch(context)
    {
        data = NULL;
        *length = 0;
    }
    return data;
}
