#include "model.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct camera *camera_load(const char *root, int number)
{
    struct camera *camera = calloc(1, sizeof *camera);
    if (camera == NULL) return NULL;
    camera->number = number;
    snprintf(camera->folder, sizeof camera->folder, "%s/video%d", root, number);
    if (modes_load(camera) != 0) {
        free(camera);
        return NULL;
    }
    if (knob_text(camera, "card", camera->card, sizeof camera->card) != 0)
        snprintf(camera->card, sizeof camera->card, "Test camera %d", number);
    if (knob_text(camera, "bus", camera->bus, sizeof camera->bus) != 0)
        snprintf(camera->bus, sizeof camera->bus, "usb-test-%d", number);
    char kind[16] = "";
    knob_text(camera, "kind", kind, sizeof kind);
    uint32_t gives = strcmp(kind, "metadata") == 0 ? V4L2_CAP_META_CAPTURE
                     : strcmp(kind, "output") == 0 ? V4L2_CAP_VIDEO_OUTPUT
                                                   : V4L2_CAP_VIDEO_CAPTURE;
    camera->capabilities = gives | V4L2_CAP_STREAMING | V4L2_CAP_EXT_PIX_FORMAT;
    camera->rate = camera->modes[0].rates[0];
    controls_load(camera);
    return camera;
}

struct camera_file *camera_open(struct camera *camera)
{
    struct camera_file *file = calloc(1, sizeof *file);
    if (file != NULL) {
        file->camera = camera;
        file->memory_file = -1;
        file->priority = V4L2_PRIORITY_DEFAULT;
    }
    return file;
}

void camera_close(struct camera_file *file)
{
    buffers_free(file);
    free(file);
}

struct camera_file *camera_owner(const struct camera *camera) { return camera->owner; }

static int capabilities(const struct camera *camera, struct v4l2_capability *result)
{
    memset(result, 0, sizeof *result);
    strcpy((char *)result->driver, "uvcvideo");
    memcpy(result->card, camera->card, sizeof result->card);
    memcpy(result->bus_info, camera->bus, sizeof result->bus_info);
    result->version = 0x060100;
    result->device_caps = camera->capabilities;
    /* The device as a whole captures pictures, whatever this node does. */
    result->capabilities = camera->capabilities | V4L2_CAP_VIDEO_CAPTURE | V4L2_CAP_DEVICE_CAPS;
    return 0;
}

static int format(const struct camera *camera, struct v4l2_fmtdesc *query)
{
    if (query->index >= (uint32_t)camera->format_count) return -EINVAL;
    uint32_t found = camera->formats[query->index];
    query->pixelformat = found;
    query->flags = found == V4L2_PIX_FMT_MJPEG ? V4L2_FMT_FLAG_COMPRESSED : 0;
    memset(query->description, 0, sizeof query->description);
    snprintf((char *)query->description, sizeof query->description, "%.4s", (const char *)&found);
    memset(query->reserved, 0, sizeof query->reserved);
    return 0;
}

static int frame_size(const struct camera *camera, struct v4l2_frmsizeenum *query)
{
    uint32_t index = 0;
    for (int i = 0; i < camera->mode_count; i++) {
        const struct mode *mode = &camera->modes[i];
        if (!mode_is_there(camera, mode) || mode->format != query->pixel_format ||
            index++ != query->index)
            continue;
        query->type = V4L2_FRMSIZE_TYPE_DISCRETE;
        query->discrete.width = mode->width;
        query->discrete.height = mode->height;
        return 0;
    }
    return -EINVAL;
}

static int frame_interval(const struct camera *camera, struct v4l2_frmivalenum *query)
{
    for (int i = 0; i < camera->mode_count; i++) {
        const struct mode *mode = &camera->modes[i];
        if (mode->format != query->pixel_format || mode->width != query->width ||
            mode->height != query->height)
            continue;
        if (query->index >= (uint32_t)mode->rate_count) return -EINVAL;
        query->type = V4L2_FRMIVAL_TYPE_DISCRETE;
        query->discrete.numerator = 1;
        query->discrete.denominator = (uint32_t)mode->rates[query->index];
        return 0;
    }
    return -EINVAL;
}

static void describe(
    const struct camera *camera, const struct mode *mode, struct v4l2_pix_format *result)
{
    char range[16] = "", colors[16] = "";
    knob_text(camera, "range", range, sizeof range);
    knob_text(camera, "colors", colors, sizeof colors);
    memset(result, 0, sizeof *result);
    result->width = mode->width;
    result->height = mode->height;
    result->pixelformat = mode->format;
    result->field = V4L2_FIELD_NONE;
    result->bytesperline = row_bytes(mode->format, mode->width);
    result->sizeimage = mode->frame_size;
    result->colorspace =
        mode->format == V4L2_PIX_FMT_MJPEG ? V4L2_COLORSPACE_JPEG : V4L2_COLORSPACE_SRGB;
    result->priv = V4L2_PIX_FMT_PRIV_MAGIC;
    result->ycbcr_enc = strcmp(colors, "709") == 0 ? V4L2_YCBCR_ENC_709 : V4L2_YCBCR_ENC_601;
    result->quantization = strcmp(range, "full") == 0      ? V4L2_QUANTIZATION_FULL_RANGE
                           : strcmp(range, "limited") == 0 ? V4L2_QUANTIZATION_LIM_RANGE
                                                           : V4L2_QUANTIZATION_DEFAULT;
}

static int set_format(struct camera_file *file, struct v4l2_format *format, int is_trial)
{
    struct camera *camera = file->camera;
    struct v4l2_pix_format *wanted = &format->fmt.pix;
    int mode = modes_nearest(camera, wanted->pixelformat, wanted->width, wanted->height);
    if (!is_trial) {
        if (file->count > 0 || knob(camera, "busy") ||
            (camera->owner != NULL && camera->owner != file))
            return -EBUSY;
        camera->mode = mode;
        camera->rate = camera->modes[mode].rates[0];
    }
    describe(camera, &camera->modes[mode], wanted);
    return 0;
}

static int parameters(struct camera_file *file, struct v4l2_streamparm *parameters, int is_setting)
{
    struct camera *camera = file->camera;
    const struct mode *mode = &camera->modes[camera->mode];
    struct v4l2_fract wanted = parameters->parm.capture.timeperframe;
    if (is_setting) {
        if (file->is_streaming) return -EBUSY;
        int rate =
            wanted.numerator > 0 ? (int)(wanted.denominator / wanted.numerator) : mode->rates[0];
        camera->rate = mode->rates[0];
        for (int i = 1; i < mode->rate_count; i++)
            if (abs(mode->rates[i] - rate) < abs(camera->rate - rate))
                camera->rate = mode->rates[i];
    }
    memset(&parameters->parm, 0, sizeof parameters->parm);
    parameters->parm.capture.capability = V4L2_CAP_TIMEPERFRAME;
    parameters->parm.capture.timeperframe.numerator = 1;
    parameters->parm.capture.timeperframe.denominator = (uint32_t)camera->rate;
    return 0;
}

static int listed_timings(const struct camera *camera, struct v4l2_enum_dv_timings *query)
{
    const struct v4l2_bt_timings *found = timings_at(query->index);
    if (camera->input != 1) return -ENODATA;
    if (found == NULL) return -EINVAL;
    query->timings.type = V4L2_DV_BT_656_1120;
    query->timings.bt = *found;
    return 0;
}

/* Answers the older form of a request about a control. */
static int old_control(struct camera *camera, struct v4l2_queryctrl *result)
{
    struct v4l2_query_ext_ctrl query = {.id = result->id};
    int failure = control_query(camera, &query);
    if (failure != 0) return failure;
    memset(result, 0, sizeof *result);
    result->id = query.id;
    result->type = query.type;
    memcpy(result->name, query.name, sizeof result->name);
    result->flags = query.flags;
    if (query.type != V4L2_CTRL_TYPE_INTEGER64) {
        result->minimum = (int32_t)query.minimum;
        result->maximum = (int32_t)query.maximum;
        result->step = (int32_t)query.step;
        result->default_value = (int32_t)query.default_value;
    }
    return 0;
}

static int get_control(struct camera *camera, struct v4l2_control *result)
{
    const struct control *control = control_find(camera, result->id);
    if (control == NULL) return -EINVAL;
    if (control->flags & V4L2_CTRL_FLAG_WRITE_ONLY) return -EACCES;
    result->value = (int32_t)control->value;
    return 0;
}

static int set_control(struct camera *camera, struct v4l2_control *wanted)
{
    int failure = control_set(camera, wanted->id, wanted->value);
    if (failure == 0) wanted->value = (int32_t)control_find(camera, wanted->id)->value;
    return failure;
}

/* Answers a request whose argument names the type of the buffers. */
static int stream_request(struct camera_file *file, uint32_t request, void *argument)
{
    switch (request) {
    case (uint32_t)VIDIOC_ENUM_FMT: return format(file->camera, argument);
    case (uint32_t)VIDIOC_G_FMT:
        describe(file->camera, &file->camera->modes[file->camera->mode],
            &((struct v4l2_format *)argument)->fmt.pix);
        return 0;
    case (uint32_t)VIDIOC_TRY_FMT:
    case (uint32_t)VIDIOC_S_FMT:
        return set_format(file, argument, request == (uint32_t)VIDIOC_TRY_FMT);
    case (uint32_t)VIDIOC_G_PARM:
    case (uint32_t)VIDIOC_S_PARM:
        return parameters(file, argument, request == (uint32_t)VIDIOC_S_PARM);
    case (uint32_t)VIDIOC_REQBUFS: return buffers_request(file, argument);
    case (uint32_t)VIDIOC_QUERYBUF: return buffers_query(file, argument);
    case (uint32_t)VIDIOC_QBUF: return buffers_queue(file, argument);
    case (uint32_t)VIDIOC_DQBUF: return buffers_dequeue(file, argument);
    case (uint32_t)VIDIOC_STREAMON: return stream_start(file);
    default: stream_stop(file); return 0;
    }
}

/* The type of buffers in a request's argument; 0 when it has none. */
static uint32_t buffer_type(uint32_t request, const void *argument)
{
    switch (request) {
    case (uint32_t)VIDIOC_ENUM_FMT: return ((const struct v4l2_fmtdesc *)argument)->type;
    case (uint32_t)VIDIOC_G_FMT:
    case (uint32_t)VIDIOC_TRY_FMT:
    case (uint32_t)VIDIOC_S_FMT: return ((const struct v4l2_format *)argument)->type;
    case (uint32_t)VIDIOC_G_PARM:
    case (uint32_t)VIDIOC_S_PARM: return ((const struct v4l2_streamparm *)argument)->type;
    case (uint32_t)VIDIOC_REQBUFS: return ((const struct v4l2_requestbuffers *)argument)->type;
    case (uint32_t)VIDIOC_QUERYBUF:
    case (uint32_t)VIDIOC_QBUF:
    case (uint32_t)VIDIOC_DQBUF: return ((const struct v4l2_buffer *)argument)->type;
    case (uint32_t)VIDIOC_STREAMON:
    case (uint32_t)VIDIOC_STREAMOFF: return *(const uint32_t *)argument;
    default: return 0;
    }
}

int camera_request(struct camera_file *file, uint32_t request, void *argument)
{
    struct camera *camera = file->camera;
    if (camera_is_unplugged(camera)) return -ENODEV;
    uint32_t type = buffer_type(request, argument);
    if (type != 0) {
        int is_camera = camera->capabilities & V4L2_CAP_VIDEO_CAPTURE;
        return type == V4L2_BUF_TYPE_VIDEO_CAPTURE && is_camera
                   ? stream_request(file, request, argument)
                   : -EINVAL;
    }
    switch (request) {
    case (uint32_t)VIDIOC_QUERYCAP: return capabilities(camera, argument);
    case (uint32_t)VIDIOC_ENUM_FRAMESIZES: return frame_size(camera, argument);
    case (uint32_t)VIDIOC_ENUM_FRAMEINTERVALS: return frame_interval(camera, argument);
    case (uint32_t)VIDIOC_ENUMINPUT: return input_query(camera, argument);
    case (uint32_t)VIDIOC_G_INPUT: *(int *)argument = camera->input; return 0;
    case (uint32_t)VIDIOC_S_INPUT: return input_choose(file, *(int *)argument);
    case (uint32_t)VIDIOC_ENUM_DV_TIMINGS: return listed_timings(camera, argument);
    case (uint32_t)VIDIOC_G_DV_TIMINGS:
    case (uint32_t)VIDIOC_S_DV_TIMINGS:
    case (uint32_t)VIDIOC_QUERY_DV_TIMINGS: return timings_request(file, request, argument);
    case (uint32_t)VIDIOC_G_PRIORITY: *(uint32_t *)argument = file->priority; return 0;
    case (uint32_t)VIDIOC_S_PRIORITY: file->priority = *(uint32_t *)argument; return 0;
    case (uint32_t)VIDIOC_QUERYCTRL: return old_control(camera, argument);
    case (uint32_t)VIDIOC_QUERY_EXT_CTRL: return control_query(camera, argument);
    case (uint32_t)VIDIOC_QUERYMENU: return control_menu(camera, argument);
    case (uint32_t)VIDIOC_G_CTRL: return get_control(camera, argument);
    case (uint32_t)VIDIOC_S_CTRL: return set_control(camera, argument);
    default: return -ENOTTY;
    }
}
