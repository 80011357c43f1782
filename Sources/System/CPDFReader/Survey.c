#include "Reader.h"

#include <math.h>
#include <stdlib.h>

/* The maximum number of nested clips, groups and masks that are distinguished. */
enum { deepest = 64, most_pictures = 4096 };

/* A device that draws nothing and notes what would be drawn. */
typedef struct {
    fz_device base;
    cpdfr_page *page;
    fz_rect sheet;
    /* The area that is visible inside the clips so far; `is_odd` tells whether any clip is not
       an upright rectangle. */
    struct {
        fz_rect box;
        int is_odd;
    } stack[deepest];
    int depth;
    /* The numbers of masks, which are not visible themselves, and of pattern cells that contain
       the current content. */
    int masks, tiles;
    /* The box around all marks that no picture covers. */
    fz_rect marked;
} survey;

/* The box of no marks, which is invalid. */
static fz_rect const nothing = {1, 1, -1, -1};

static survey *of(fz_device *device) { return (survey *)device; }

static void push(fz_device *device, fz_rect box, int is_odd)
{
    survey *it = of(device);
    if (it->depth < deepest - 1) {
        it->stack[it->depth + 1].box = fz_intersect_rect(it->stack[it->depth].box, box);
        it->stack[it->depth + 1].is_odd = it->stack[it->depth].is_odd || is_odd;
    } else {
        it->stack[deepest - 1].is_odd = 1;
    }
    it->depth++;
}

static int top(survey const *it) { return it->depth < deepest ? it->depth : deepest - 1; }

static void pop(fz_context *context, fz_device *device)
{
    (void)context;
    if (of(device)->depth > 0) of(device)->depth--;
}

static void mark(fz_device *device, fz_rect box, float alpha)
{
    survey *it = of(device);
    box = fz_intersect_rect(box, it->stack[top(it)].box);
    if (it->masks > 0 || alpha <= 0 || !fz_is_valid_rect(box)) return;
    /* A line without width has an empty box but is drawn. */
    if (box.x1 < it->sheet.x0 || box.x0 > it->sheet.x1 || box.y1 < it->sheet.y0 ||
        box.y0 > it->sheet.y1)
        return;
    it->marked = fz_is_valid_rect(it->marked) ? fz_union_rect(it->marked, box) : box;
    it->page->marks = CPDFR_MARKS;
}

/* White on the empty sheet can't be seen. */
static int is_unseen(fz_context *context, survey const *it, fz_colorspace *space,
    float const *color, fz_color_params how)
{
    if (it->page->marks != CPDFR_NOTHING_ELSE || it->page->count > 0 || !space || !color) return 0;
    float rgb[FZ_MAX_COLORS] = {0};
    fz_convert_color(context, space, color, fz_device_rgb(context), rgb, NULL, how);
    return rgb[0] > 0.998f && rgb[1] > 0.998f && rgb[2] > 0.998f;
}

static void fill_path(fz_context *context, fz_device *device, fz_path const *path, int even_odd,
    fz_matrix ctm, fz_colorspace *space, float const *color, float alpha, fz_color_params how)
{
    (void)even_odd;
    if (is_unseen(context, of(device), space, color, how)) return;
    mark(device, fz_bound_path(context, path, NULL, ctm), alpha);
}

static void stroke_path(fz_context *context, fz_device *device, fz_path const *path,
    fz_stroke_state const *stroke, fz_matrix ctm, fz_colorspace *space, float const *color,
    float alpha, fz_color_params how)
{
    if (is_unseen(context, of(device), space, color, how)) return;
    mark(device, fz_bound_path(context, path, stroke, ctm), alpha);
}

static void fill_text(fz_context *context, fz_device *device, fz_text const *text, fz_matrix ctm,
    fz_colorspace *space, float const *color, float alpha, fz_color_params how)
{
    if (is_unseen(context, of(device), space, color, how)) return;
    mark(device, fz_bound_text(context, text, NULL, ctm), alpha);
}

static void stroke_text(fz_context *context, fz_device *device, fz_text const *text,
    fz_stroke_state const *stroke, fz_matrix ctm, fz_colorspace *space, float const *color,
    float alpha, fz_color_params how)
{
    if (is_unseen(context, of(device), space, color, how)) return;
    mark(device, fz_bound_text(context, text, stroke, ctm), alpha);
}

static void fill_shade(fz_context *context, fz_device *device, fz_shade *shade, fz_matrix ctm,
    float alpha, fz_color_params how)
{
    (void)how;
    mark(device, fz_bound_shade(context, shade, ctm), alpha);
}

static int covers(fz_rect outer, fz_rect inner)
{
    float const slack = 0.01f;
    return outer.x0 <= inner.x0 + slack && outer.y0 <= inner.y0 + slack &&
           outer.x1 >= inner.x1 - slack && outer.y1 >= inner.y1 - slack;
}

/* Notes a picture; one inside a pattern is a mark like any other. */
static void note(fz_context *context, fz_device *device, fz_image *image, fz_matrix ctm,
    float alpha, int is_stencil)
{
    survey *it = of(device);
    cpdfr_page *page = it->page;
    fz_rect const box = fz_transform_rect(fz_unit_rect, ctm);
    if (it->tiles > 0 || page->count >= most_pictures) {
        mark(device, box, alpha);
        return;
    }
    fz_rect const shown =
        fz_intersect_rect(fz_intersect_rect(box, it->stack[top(it)].box), it->sheet);
    if (it->masks > 0 || alpha <= 0 || fz_is_empty_rect(shown)) return;
    if (page->count == page->room) {
        int const room = page->room ? page->room * 2 : 4;
        cpdfr_picture *more = realloc(page->pictures, (size_t)room * sizeof *more);
        if (!more) fz_throw(context, FZ_ERROR_MEMORY, "no memory for a list of pictures");
        page->pictures = more;
        page->room = room;
    }
    int const is_whole = covers(it->stack[top(it)].box, fz_intersect_rect(box, it->sheet)) &&
                         !it->stack[top(it)].is_odd;
    int const is_plain =
        is_whole && !is_stencil && alpha >= 1 && !image->mask && !image->use_colorkey;
    page->pictures[page->count++] =
        (cpdfr_picture){fz_keep_image(context, image), ctm, is_plain, NULL, NULL};
    if (is_plain && fz_is_rectilinear(ctm) && page->marks != CPDFR_NOTHING_ELSE &&
        covers(box, it->marked)) {
        page->marks = CPDFR_NOTHING_ELSE;
        it->marked = nothing;
    }
}

static void fill_image(fz_context *context, fz_device *device, fz_image *image, fz_matrix ctm,
    float alpha, fz_color_params how)
{
    (void)how;
    note(context, device, image, ctm, alpha, 0);
}

static void fill_image_mask(fz_context *context, fz_device *device, fz_image *image, fz_matrix ctm,
    fz_colorspace *space, float const *color, float alpha, fz_color_params how)
{
    (void)space, (void)color, (void)how;
    note(context, device, image, ctm, alpha, 1);
}

/* The findings about a path. */
typedef struct {
    fz_matrix ctm;
    fz_point start, last;
    int starts, edges, is_odd;
} walk;

static int is_upright_edge(fz_point one, fz_point other)
{
    float const slack = 0.01f;
    return fabsf(one.x - other.x) <= slack || fabsf(one.y - other.y) <= slack;
}

static void walk_to(fz_context *context, void *user, float x, float y)
{
    (void)context;
    walk *it = user;
    fz_point const next = fz_transform_point_xy(x, y, it->ctm);
    it->is_odd |= !is_upright_edge(it->last, next);
    it->edges++;
    it->last = next;
}

static void walk_from(fz_context *context, void *user, float x, float y)
{
    (void)context;
    walk *it = user;
    it->starts++;
    it->start = it->last = fz_transform_point_xy(x, y, it->ctm);
}

static void walk_curve(
    fz_context *context, void *user, float x1, float y1, float x2, float y2, float x3, float y3)
{
    (void)context, (void)x1, (void)y1, (void)x2, (void)y2, (void)x3, (void)y3;
    ((walk *)user)->is_odd = 1;
}

static void walk_home(fz_context *context, void *user) { (void)context, (void)user; }

/* True if a path is a single upright rectangle: it has at most four edges, along the sides of
 * its box. */
static int is_upright_box(fz_context *context, fz_path const *path, fz_matrix ctm)
{
    fz_path_walker const walker = {
        .moveto = walk_from, .lineto = walk_to, .curveto = walk_curve, .closepath = walk_home};
    walk it = {.ctm = ctm};
    fz_walk_path(context, path, &walker, &it);
    return !it.is_odd && it.starts == 1 && it.edges >= 3 && it.edges <= 4 &&
           is_upright_edge(it.start, it.last);
}

static void clip_path(fz_context *context, fz_device *device, fz_path const *path, int even_odd,
    fz_matrix ctm, fz_rect scissor)
{
    (void)even_odd, (void)scissor;
    push(device, fz_bound_path(context, path, NULL, ctm), !is_upright_box(context, path, ctm));
}

static void clip_stroke_path(fz_context *context, fz_device *device, fz_path const *path,
    fz_stroke_state const *stroke, fz_matrix ctm, fz_rect scissor)
{
    (void)scissor;
    push(device, fz_bound_path(context, path, stroke, ctm), 1);
}

static void clip_text(
    fz_context *context, fz_device *device, fz_text const *text, fz_matrix ctm, fz_rect scissor)
{
    (void)scissor;
    push(device, fz_bound_text(context, text, NULL, ctm), 1);
}

static void clip_stroke_text(fz_context *context, fz_device *device, fz_text const *text,
    fz_stroke_state const *stroke, fz_matrix ctm, fz_rect scissor)
{
    (void)scissor;
    push(device, fz_bound_text(context, text, stroke, ctm), 1);
}

static void clip_image_mask(
    fz_context *context, fz_device *device, fz_image *image, fz_matrix ctm, fz_rect scissor)
{
    (void)context, (void)image, (void)scissor;
    push(device, fz_transform_rect(fz_unit_rect, ctm), 1);
}

static void begin_mask(fz_context *context, fz_device *device, fz_rect area, int luminosity,
    fz_colorspace *space, float const *color, fz_color_params how)
{
    (void)context, (void)luminosity, (void)space, (void)color, (void)how;
    push(device, area, 1);
    of(device)->masks++;
}

/* The following marks are seen through the mask until the clip is popped. */
static void end_mask(fz_context *context, fz_device *device)
{
    (void)context;
    if (of(device)->masks > 0) of(device)->masks--;
}

static void begin_group(fz_context *context, fz_device *device, fz_rect area, fz_colorspace *space,
    int isolated, int knockout, int blend, float alpha)
{
    (void)context, (void)area, (void)space, (void)isolated, (void)knockout;
    push(device, fz_infinite_rect, alpha < 1 || blend != FZ_BLEND_NORMAL);
}

static int begin_tile(fz_context *context, fz_device *device, fz_rect area, fz_rect view,
    float x_step, float y_step, fz_matrix ctm, int id)
{
    (void)view, (void)x_step, (void)y_step, (void)id;
    mark(device, fz_transform_rect(area, ctm), 1);
    push(device, fz_transform_rect(area, ctm), 1);
    of(device)->tiles++;
    (void)context;
    return 0;
}

static void end_tile(fz_context *context, fz_device *device)
{
    if (of(device)->tiles > 0) of(device)->tiles--;
    pop(context, device);
}

void cpdfr_survey(cpdfr_page *page)
{
    fz_context *context = page->document->context;
    survey *it = (survey *)fz_new_device_of_size(context, sizeof *it);
    fz_device *device = &it->base;
    it->page = page;
    it->sheet = fz_make_rect(0, 0, (float)page->width, (float)page->height);
    it->stack[0].box = it->sheet;
    it->marked = nothing;
    device->fill_path = fill_path;
    device->stroke_path = stroke_path;
    device->fill_text = fill_text;
    device->stroke_text = stroke_text;
    device->fill_shade = fill_shade;
    device->fill_image = fill_image;
    device->fill_image_mask = fill_image_mask;
    device->clip_path = clip_path;
    device->clip_stroke_path = clip_stroke_path;
    device->clip_text = clip_text;
    device->clip_stroke_text = clip_stroke_text;
    device->clip_image_mask = clip_image_mask;
    device->pop_clip = pop;
    device->begin_mask = begin_mask;
    device->end_mask = end_mask;
    device->begin_group = begin_group;
    device->end_group = pop;
    device->begin_tile = begin_tile;
    device->end_tile = end_tile;
    fz_try(context)
    {
        fz_run_display_list(context, page->list, device, fz_identity, fz_infinite_rect, NULL);
        fz_close_device(context, device);
        fz_rect const marked = fz_intersect_rect(it->marked, it->sheet);
        if (!fz_is_empty_rect(marked))
            page->marked = (double)(marked.x1 - marked.x0) * (double)(marked.y1 - marked.y0);
    }
    fz_always(context) { fz_drop_device(context, device); }
    fz_catch(context) { fz_rethrow(context); }
}

double cpdfr_page_marked(cpdfr_page const *page) { return page->marked; }

cpdfr_marks cpdfr_page_marks(cpdfr_page const *page) { return page->marks; }

int cpdfr_picture_count(cpdfr_page const *page) { return page->count; }

cpdfr_picture *cpdfr_page_picture(cpdfr_page const *page, int index)
{ return &page->pictures[index]; }
