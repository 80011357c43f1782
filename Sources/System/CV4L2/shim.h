#pragma once
#include <errno.h>
#include <libv4lconvert.h>
#include <linux/videodev2.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>

/* The requests of V4L2 are macros and its structures hold unions, and Swift can use neither: each
   request that is needed is a function here, the same for single-planar and multi-planar cameras.
   All return 0, or -1 and errno. */

#define CV4L2_REQUEST(name, request, type)                                                         \
    static inline int cv4l2_##name(int file, struct type *argument)                                \
    { return ioctl(file, request, argument); }

CV4L2_REQUEST(query_capabilities, VIDIOC_QUERYCAP, v4l2_capability)
CV4L2_REQUEST(enumerate_format, VIDIOC_ENUM_FMT, v4l2_fmtdesc)
CV4L2_REQUEST(query_control, VIDIOC_QUERY_EXT_CTRL, v4l2_query_ext_ctrl)

/* A size that a camera supports: one, or a range with steps when `is_range`. */
struct cv4l2_size {
    int is_range;
    uint32_t width, height, most_width, most_height, step_width, step_height;
};

/* VIDIOC_ENUM_FRAMESIZES */
static inline int cv4l2_enumerate_size(
    int file, uint32_t format, uint32_t index, struct cv4l2_size *size)
{
    struct v4l2_frmsizeenum query;
    memset(&query, 0, sizeof query);
    query.index = index;
    query.pixel_format = format;
    if (ioctl(file, VIDIOC_ENUM_FRAMESIZES, &query) != 0) return -1;
    memset(size, 0, sizeof *size);
    size->is_range = query.type != V4L2_FRMSIZE_TYPE_DISCRETE;
    if (size->is_range) {
        size->width = query.stepwise.min_width;
        size->height = query.stepwise.min_height;
        size->most_width = query.stepwise.max_width;
        size->most_height = query.stepwise.max_height;
        size->step_width = query.stepwise.step_width;
        size->step_height = query.stepwise.step_height;
    } else {
        size->width = query.discrete.width;
        size->height = query.discrete.height;
    }
    return 0;
}

/* The time between two frames: one, or the shortest and the longest of a range. */
struct cv4l2_interval {
    int is_range;
    struct v4l2_fract shortest, longest;
};

/* VIDIOC_ENUM_FRAMEINTERVALS */
static inline int cv4l2_enumerate_interval(int file, uint32_t format, uint32_t width,
    uint32_t height, uint32_t index, struct cv4l2_interval *interval)
{
    struct v4l2_frmivalenum query;
    memset(&query, 0, sizeof query);
    query.index = index;
    query.pixel_format = format;
    query.width = width;
    query.height = height;
    if (ioctl(file, VIDIOC_ENUM_FRAMEINTERVALS, &query) != 0) return -1;
    memset(interval, 0, sizeof *interval);
    interval->is_range = query.type != V4L2_FRMIVAL_TYPE_DISCRETE;
    interval->shortest = interval->is_range ? query.stepwise.min : query.discrete;
    interval->longest = interval->is_range ? query.stepwise.max : query.discrete;
    return 0;
}

/* The layout of frames in memory. `planes` is 1, except for cameras with a separate buffer for
 * colors. */
struct cv4l2_form {
    uint32_t width, height, format, field, stride, size, colorspace, quantization, ycbcr, planes;
};

static inline void cv4l2_read_form(const struct v4l2_format *format, struct cv4l2_form *form)
{
    memset(form, 0, sizeof *form);
    if (V4L2_TYPE_IS_MULTIPLANAR(format->type)) {
        form->width = format->fmt.pix_mp.width;
        form->height = format->fmt.pix_mp.height;
        form->format = format->fmt.pix_mp.pixelformat;
        form->field = format->fmt.pix_mp.field;
        form->stride = format->fmt.pix_mp.plane_fmt[0].bytesperline;
        form->size = format->fmt.pix_mp.plane_fmt[0].sizeimage;
        form->colorspace = format->fmt.pix_mp.colorspace;
        form->quantization = format->fmt.pix_mp.quantization;
        form->ycbcr = format->fmt.pix_mp.ycbcr_enc;
        form->planes = format->fmt.pix_mp.num_planes;
    } else {
        form->width = format->fmt.pix.width;
        form->height = format->fmt.pix.height;
        form->format = format->fmt.pix.pixelformat;
        form->field = format->fmt.pix.field;
        form->stride = format->fmt.pix.bytesperline;
        form->size = format->fmt.pix.sizeimage;
        form->colorspace = format->fmt.pix.colorspace;
        form->quantization = format->fmt.pix.quantization;
        form->ycbcr = format->fmt.pix.ycbcr_enc;
        form->planes = 1;
    }
}

/* VIDIOC_S_FMT for frames of this width, height and format; `form` becomes the format that the
 * camera has chosen.
 */
static inline int cv4l2_set_form(int file, uint32_t type, struct cv4l2_form *form)
{
    struct v4l2_format format;
    memset(&format, 0, sizeof format);
    format.type = type;
    if (V4L2_TYPE_IS_MULTIPLANAR(type)) {
        format.fmt.pix_mp.width = form->width;
        format.fmt.pix_mp.height = form->height;
        format.fmt.pix_mp.pixelformat = form->format;
        format.fmt.pix_mp.field = V4L2_FIELD_ANY;
        format.fmt.pix_mp.num_planes = 1;
    } else {
        format.fmt.pix.width = form->width;
        format.fmt.pix.height = form->height;
        format.fmt.pix.pixelformat = form->format;
        format.fmt.pix.field = V4L2_FIELD_ANY;
    }
    if (ioctl(file, VIDIOC_S_FMT, &format) != 0) return -1;
    cv4l2_read_form(&format, form);
    return 0;
}

/* VIDIOC_S_PARM: requests an interval, which becomes the one that the camera uses. */
static inline int cv4l2_set_interval(int file, uint32_t type, struct v4l2_fract *interval)
{
    struct v4l2_streamparm parameters;
    memset(&parameters, 0, sizeof parameters);
    parameters.type = type;
    parameters.parm.capture.timeperframe = *interval;
    if (ioctl(file, VIDIOC_S_PARM, &parameters) != 0) return -1;
    *interval = parameters.parm.capture.timeperframe;
    return 0;
}

/* VIDIOC_REQBUFS for memory that the driver maps; `count` becomes the number of buffers. */
static inline int cv4l2_request_buffers(int file, uint32_t type, uint32_t *count)
{
    struct v4l2_requestbuffers request;
    memset(&request, 0, sizeof request);
    request.count = *count;
    request.type = type;
    request.memory = V4L2_MEMORY_MMAP;
    if (ioctl(file, VIDIOC_REQBUFS, &request) != 0) return -1;
    *count = request.count;
    return 0;
}

/* One of the driver's buffers. */
struct cv4l2_buffer {
    uint32_t index, flags, sequence, used, length, offset, skipped;
    double time;
};

static inline int cv4l2_buffer_request(
    int file, unsigned long request, uint32_t type, uint32_t index, struct cv4l2_buffer *result)
{
    struct v4l2_buffer buffer;
    struct v4l2_plane planes[VIDEO_MAX_PLANES];
    memset(&buffer, 0, sizeof buffer);
    memset(planes, 0, sizeof planes);
    buffer.type = type;
    buffer.memory = V4L2_MEMORY_MMAP;
    buffer.index = index;
    if (V4L2_TYPE_IS_MULTIPLANAR(type)) {
        buffer.m.planes = planes;
        buffer.length = VIDEO_MAX_PLANES;
    }
    if (ioctl(file, request, &buffer) != 0) return -1;
    memset(result, 0, sizeof *result);
    result->index = buffer.index;
    result->flags = buffer.flags;
    result->sequence = buffer.sequence;
    result->time = (double)buffer.timestamp.tv_sec + (double)buffer.timestamp.tv_usec / 1e6;
    if (V4L2_TYPE_IS_MULTIPLANAR(type)) {
        result->used = planes[0].bytesused;
        result->length = planes[0].length;
        result->offset = planes[0].m.mem_offset;
        result->skipped = planes[0].data_offset;
    } else {
        result->used = buffer.bytesused;
        result->length = buffer.length;
        result->offset = buffer.m.offset;
    }
    return 0;
}

/* VIDIOC_QUERYBUF */
static inline int cv4l2_query_buffer(
    int file, uint32_t type, uint32_t index, struct cv4l2_buffer *buffer)
{ return cv4l2_buffer_request(file, VIDIOC_QUERYBUF, type, index, buffer); }

/* VIDIOC_QBUF */
static inline int cv4l2_queue_buffer(int file, uint32_t type, uint32_t index)
{
    struct cv4l2_buffer ignored;
    return cv4l2_buffer_request(file, VIDIOC_QBUF, type, index, &ignored);
}

/* VIDIOC_DQBUF */
static inline int cv4l2_dequeue_buffer(int file, uint32_t type, struct cv4l2_buffer *buffer)
{ return cv4l2_buffer_request(file, VIDIOC_DQBUF, type, 0, buffer); }

/* VIDIOC_STREAMON, VIDIOC_STREAMOFF */
static inline int cv4l2_start(int file, uint32_t type)
{ return ioctl(file, VIDIOC_STREAMON, &type); }
static inline int cv4l2_stop(int file, uint32_t type)
{ return ioctl(file, VIDIOC_STREAMOFF, &type); }

/* VIDIOC_QUERYMENU: an entry's name, or its number for a menu of numbers. */
static inline int cv4l2_menu_entry(
    int file, uint32_t control, uint32_t index, char name[33], int64_t *number)
{
    struct v4l2_querymenu query;
    memset(&query, 0, sizeof query);
    query.id = control;
    query.index = index;
    if (ioctl(file, VIDIOC_QUERYMENU, &query) != 0) return -1;
    memcpy(name, query.name, 32);
    name[32] = 0;
    *number = query.value;
    return 0;
}

/* VIDIOC_G_CTRL and VIDIOC_S_CTRL; for controls of 64 bits VIDIOC_G_EXT_CTRLS and
 * VIDIOC_S_EXT_CTRLS. */
static inline int cv4l2_get_control(int file, uint32_t control, int is_wide, int64_t *value)
{
    if (is_wide) {
        struct v4l2_ext_control one;
        struct v4l2_ext_controls all;
        memset(&one, 0, sizeof one);
        memset(&all, 0, sizeof all);
        one.id = control;
        all.count = 1;
        all.controls = &one;
        if (ioctl(file, VIDIOC_G_EXT_CTRLS, &all) != 0) return -1;
        *value = one.value64;
        return 0;
    }
    struct v4l2_control one = {control, 0};
    if (ioctl(file, VIDIOC_G_CTRL, &one) != 0) return -1;
    *value = one.value;
    return 0;
}

static inline int cv4l2_set_control(int file, uint32_t control, int is_wide, int64_t value)
{
    if (is_wide) {
        struct v4l2_ext_control one;
        struct v4l2_ext_controls all;
        memset(&one, 0, sizeof one);
        memset(&all, 0, sizeof all);
        one.id = control;
        one.value64 = value;
        all.count = 1;
        all.controls = &one;
        return ioctl(file, VIDIOC_S_EXT_CTRLS, &all);
    }
    struct v4l2_control one = {control, (int32_t)value};
    return ioctl(file, VIDIOC_S_CTRL, &one);
}

/* VIDIOC_ENUMINPUT: an input's name, V4L2_IN_CAP_… and V4L2_IN_ST_… */
static inline int cv4l2_enumerate_input(
    int file, uint32_t index, char name[33], uint32_t *capabilities, uint32_t *status)
{
    struct v4l2_input query;
    memset(&query, 0, sizeof query);
    query.index = index;
    if (ioctl(file, VIDIOC_ENUMINPUT, &query) != 0) return -1;
    memcpy(name, query.name, 32);
    name[32] = 0;
    *capabilities = query.capabilities;
    *status = query.status;
    return 0;
}

/* VIDIOC_G_INPUT and VIDIOC_S_INPUT */
static inline int cv4l2_get_input(int file, int *input)
{ return ioctl(file, VIDIOC_G_INPUT, input); }
static inline int cv4l2_set_input(int file, int input)
{ return ioctl(file, VIDIOC_S_INPUT, &input); }

/* The timings of a digital video signal. */
struct cv4l2_timings {
    uint32_t width, height;
    int is_interlaced;
    /* Pictures per second; fields per second for an interlaced signal. */
    double rate;
};

static inline void cv4l2_read_timings(
    const struct v4l2_dv_timings *timings, struct cv4l2_timings *result)
{
    const struct v4l2_bt_timings *bt = &timings->bt;
    double dots = (double)V4L2_DV_BT_FRAME_WIDTH(bt) * V4L2_DV_BT_FRAME_HEIGHT(bt);
    result->width = bt->width;
    result->height = bt->height;
    result->is_interlaced = bt->interlaced != 0;
    result->rate = dots > 0 ? (double)bt->pixelclock / dots * (bt->interlaced ? 2 : 1) : 0;
}

/* VIDIOC_ENUM_DV_TIMINGS; with `is_setting` the timings are also set (VIDIOC_S_DV_TIMINGS). */
static inline int cv4l2_listed_timings(
    int file, uint32_t index, int is_setting, struct cv4l2_timings *result)
{
    struct v4l2_enum_dv_timings query;
    memset(&query, 0, sizeof query);
    query.index = index;
    if (ioctl(file, VIDIOC_ENUM_DV_TIMINGS, &query) != 0) return -1;
    cv4l2_read_timings(&query.timings, result);
    return is_setting ? ioctl(file, VIDIOC_S_DV_TIMINGS, &query.timings) : 0;
}

/* VIDIOC_QUERY_DV_TIMINGS: the timings of the incoming signal; with `is_setting` they are also
 * set.
 */
static inline int cv4l2_detected_timings(int file, int is_setting, struct cv4l2_timings *result)
{
    struct v4l2_dv_timings timings;
    memset(&timings, 0, sizeof timings);
    if (ioctl(file, VIDIOC_QUERY_DV_TIMINGS, &timings) != 0) return -1;
    cv4l2_read_timings(&timings, result);
    return is_setting ? ioctl(file, VIDIOC_S_DV_TIMINGS, &timings) : 0;
}

/* VIDIOC_G_DV_TIMINGS */
static inline int cv4l2_get_timings(int file, struct cv4l2_timings *result)
{
    struct v4l2_dv_timings timings;
    memset(&timings, 0, sizeof timings);
    if (ioctl(file, VIDIOC_G_DV_TIMINGS, &timings) != 0) return -1;
    cv4l2_read_timings(&timings, result);
    return 0;
}

/* v4lconvert_convert from `source` to packed red, green and blue; returns the number of written
 * bytes, or -1.
 */
static inline int cv4l2_convert(struct v4lconvert_data *converter, const struct cv4l2_form *form,
    unsigned char *source, int size, unsigned char *result, int capacity)
{
    struct v4l2_format from, to;
    memset(&from, 0, sizeof from);
    memset(&to, 0, sizeof to);
    from.type = to.type = V4L2_BUF_TYPE_VIDEO_CAPTURE;
    from.fmt.pix.width = to.fmt.pix.width = form->width;
    from.fmt.pix.height = to.fmt.pix.height = form->height;
    from.fmt.pix.pixelformat = form->format;
    from.fmt.pix.bytesperline = form->stride;
    from.fmt.pix.sizeimage = form->size;
    from.fmt.pix.field = to.fmt.pix.field = V4L2_FIELD_NONE;
    to.fmt.pix.pixelformat = V4L2_PIX_FMT_RGB24;
    to.fmt.pix.bytesperline = form->width * 3;
    to.fmt.pix.sizeimage = form->width * form->height * 3;
    return v4lconvert_convert(converter, &from, &to, source, size, result, capacity);
}
