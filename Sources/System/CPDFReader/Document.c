#include "Reader.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The memory that MuPDF may use for fonts and decoded pictures. */
static size_t const store_size = (size_t)192 << 20;

static void note_error(void *user, char const *message)
{
    cpdfr_document *document = user;
    if (!document->first_error[0])
        snprintf(document->first_error, sizeof document->first_error, "%s", message);
}

/* Most warnings do not matter, but this one says that a part of a picture is missing. */
static void note_warning(void *user, char const *message)
{
    if (strncmp(message, "padding truncated image", 23) != 0) return;
    note_error(user, "a picture ends");
    ((cpdfr_document *)user)->truncated++;
}

cpdfr_status cpdfr_caught(fz_context *context, char *message)
{
    if (message) snprintf(message, 256, "%s", fz_caught_message(context));
    return fz_caught(context) == FZ_ERROR_MEMORY ? CPDFR_NO_MEMORY : CPDFR_DAMAGED;
}

static int is_unlocked(cpdfr_document *document, char const *password)
{
    fz_context *context = document->context;
    if (!fz_needs_password(context, document->file)) return 1;
    return password[0] && fz_authenticate_password(context, document->file, password);
}

cpdfr_document *cpdfr_open(
    char const *path, char const *password, cpdfr_status *status, char *message)
{
    *status = CPDFR_NO_MEMORY;
    message[0] = 0;
    cpdfr_document *document = calloc(1, sizeof *document);
    fz_context *context = document ? fz_new_context(NULL, NULL, store_size) : NULL;
    if (!context) {
        free(document);
        return NULL;
    }
    document->context = context;
    fz_set_error_callback(context, note_error, document);
    fz_set_warning_callback(context, note_warning, document);
    fz_var(document);
    fz_try(context)
    {
        document->file = (fz_document *)pdf_open_document(context, path);
        *status = is_unlocked(document, password) ? CPDFR_OK : CPDFR_LOCKED;
        if (*status == CPDFR_OK) document->count = fz_count_pages(context, document->file);
    }
    fz_catch(context) { *status = cpdfr_caught(context, message); }
    if (*status == CPDFR_OK) return document;
    cpdfr_close(document);
    return NULL;
}

void cpdfr_close(cpdfr_document *document)
{
    if (!document) return;
    fz_drop_document(document->context, document->file);
    fz_drop_context(document->context);
    free(document);
}

int cpdfr_page_count(cpdfr_document const *document) { return document->count; }

int cpdfr_is_encrypted(cpdfr_document const *document)
{ return pdf_crypt_version(document->context, ((pdf_document *)document->file)->crypt) > 0; }

/* A page whose turn is not a multiple of 90° is upright, as in other readers; MuPDF would turn it
 * by the nearest quarter. */
static void set_upright(fz_context *context, cpdfr_document *document, int index)
{
    pdf_document *file = pdf_document_from_fz_document(context, document->file);
    pdf_obj *page = pdf_lookup_page_obj(context, file, index);
    int const turn = pdf_to_int(context, pdf_dict_get_inheritable(context, page, PDF_NAME(Rotate)));
    if (turn % 90 != 0) pdf_dict_put_int(context, page, PDF_NAME(Rotate), 0);
}

cpdfr_page *cpdfr_load_page(
    cpdfr_document *document, int index, cpdfr_status *status, char *message)
{
    fz_context *context = document->context;
    *status = CPDFR_NO_MEMORY;
    message[0] = 0;
    document->first_error[0] = 0;
    document->truncated = 0;
    cpdfr_page *const page = calloc(1, sizeof *page);
    if (!page) return NULL;
    page->document = document;
    page->index = index;
    fz_device *device = NULL;
    fz_page *loaded = NULL;
    fz_var(device);
    fz_var(loaded);
    fz_try(context)
    {
        set_upright(context, document, index);
        loaded = fz_load_page(context, document->file, index);
        fz_rect box = fz_bound_page(context, loaded);
        page->width = box.x1 - box.x0;
        page->height = box.y1 - box.y0;
        page->list = fz_new_display_list(context, box);
        device = fz_new_list_device(context, page->list);
        fz_run_page(context, loaded, device, fz_translate(-box.x0, -box.y0), &page->cookie);
        fz_close_device(context, device);
        cpdfr_survey(page);
        *status = CPDFR_OK;
    }
    fz_always(context)
    {
        fz_drop_device(context, device);
        fz_drop_page(context, loaded);
    }
    fz_catch(context) { *status = cpdfr_caught(context, message); }
    if (*status == CPDFR_OK) return page;
    cpdfr_free_page(page);
    return NULL;
}

void cpdfr_free_page(cpdfr_page *page)
{
    if (!page) return;
    fz_context *context = page->document->context;
    for (int index = 0; index < page->count; index++) {
        fz_drop_pixmap(context, page->pictures[index].pixels);
        fz_drop_image(context, page->pictures[index].recolored);
        fz_drop_image(context, page->pictures[index].image);
    }
    free(page->pictures);
    fz_drop_buffer(context, page->profile);
    fz_drop_display_list(context, page->list);
    free(page);
}

void cpdfr_page_size(cpdfr_page const *page, double *width, double *height)
{
    *width = page->width;
    *height = page->height;
}

int cpdfr_page_errors(cpdfr_page const *page, char *message)
{
    snprintf(message, 256, "%s", page->document->first_error);
    fz_flush_warnings(page->document->context);
    return page->cookie.errors + page->document->truncated;
}

cpdfr_status cpdfr_draw(
    cpdfr_page *page, int width, int height, double scale_x, double scale_y, unsigned char *rgb)
{
    fz_context *context = page->document->context;
    /* Drawing happens in bands, so that groups and masks, which are drawn separately, take
       little memory. */
    size_t const row = (size_t)width * 3;
    int const rows = (int)fz_clamp((float)(((size_t)192 << 20) / row), 1, (float)height);
    fz_matrix const scale = fz_scale((float)scale_x, (float)scale_y);
    cpdfr_status status = CPDFR_OK;
    memset(rgb, 255, row * (size_t)height);
    for (int top = 0; top < height && status == CPDFR_OK; top += rows) {
        int const bottom = top + rows < height ? top + rows : height;
        fz_pixmap *band = NULL;
        fz_device *device = NULL;
        fz_var(band);
        fz_var(device);
        fz_try(context)
        {
            fz_irect const box = fz_make_irect(0, top, width, bottom);
            band = fz_new_pixmap_with_bbox_and_data(
                context, fz_device_rgb(context), box, NULL, 0, rgb + row * (size_t)top);
            device = fz_new_draw_device(context, fz_identity, band);
            cpdfr_run(page, device, scale, fz_rect_from_irect(box));
            fz_close_device(context, device);
        }
        fz_always(context)
        {
            fz_drop_device(context, device);
            fz_drop_pixmap(context, band);
        }
        fz_catch(context) { status = cpdfr_caught(context, NULL); }
    }
    return status;
}
