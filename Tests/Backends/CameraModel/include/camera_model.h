/* A camera with the interface of V4L2 drivers, without a driver: formats, controls, buffers, and
 * faults on request.
 *
 * A camera is a folder `videoN`:
 *
 *     MJPG-1280x720@30,15.bin   JPEG pictures one after another, given 30 or 15 times a second
 *     YUYV-640x480@30.bin       raw frames one after another, packed
 *     card, bus, kind           the camera's name, its place, and "metadata" or "output" for a
 *                               node that gives no pictures
 *     hdmi                      makes a second input, and names the size of its signal:
 *                               "64x48", "32x24", or nothing
 *     range, colors             "full" or "limited", "709": the meaning of the samples
 *                               (quantization, ycbcr_enc)
 *
 * Tests make and remove these files there to change the camera's behavior:
 *
 *     unplugged   every request answers ENODEV
 *     busy        another program is capturing: EBUSY
 *     stalled     no more frames come
 *     corrupt     frames come with V4L2_BUF_FLAG_ERROR
 *     cut         frames come with half of their bytes
 *     lossy       every second frame is lost in the driver: DQBUF answers EIO
 *
 * The model has no thread: frames that are due by the clock are made when they are requested. Only
 * one thread at a time may use it. */
#ifndef CAMERA_MODEL_H
#define CAMERA_MODEL_H

#include <linux/videodev2.h>
#include <stddef.h>
#include <stdint.h>

#define CAMERA_BUFFERS 32

struct camera;
struct camera_file;

/* Opens the camera in ROOT/videoNUMBER; NULL if there is none, or if its folder has no mode. */
struct camera *camera_load(const char *root, int number);
int camera_is_unplugged(const struct camera *camera);

struct camera_file *camera_open(struct camera *camera);
void camera_close(struct camera_file *file);

/* Answers a V4L2 request other than those with lists of controls: 0, or a negative error number.
   VIDIOC_DQBUF returns -EAGAIN if there is no frame; the caller has to wait. */
int camera_request(struct camera_file *file, uint32_t request, void *argument);

/* Answers VIDIOC_G_EXT_CTRLS, VIDIOC_S_EXT_CTRLS and VIDIOC_TRY_EXT_CTRLS, whose argument points
   to a list. */
int camera_list_request(struct camera_file *file, uint32_t request,
    struct v4l2_ext_controls *controls, struct v4l2_ext_control *list);

/* The events that poll(2) would report. */
unsigned camera_poll(struct camera_file *file);

/* The time at which the next frame is due, by camera_clock; 0 if one is there, UINT64_MAX for
   never. */
uint64_t camera_due(const struct camera_file *file);
/* The time of CLOCK_MONOTONIC in nanoseconds. */
uint64_t camera_clock(void);

/* The memory of the buffers, one after another, each `camera_buffer_size` bytes; NULL when there
 * are none. */
uint8_t *camera_memory(const struct camera_file *file);
size_t camera_buffer_size(const struct camera_file *file);
int camera_buffer_count(const struct camera_file *file);
/* The descriptor of that memory (memfd_create), -1 when there is none. */
int camera_memory_descriptor(const struct camera_file *file);
/* Marks a buffer as mapped. */
void camera_mapped(struct camera_file *file, int index);
/* The open file that is filming, or NULL. */
struct camera_file *camera_owner(const struct camera *camera);

/* Calls `filled` with each buffer that gets a frame. */
void camera_on_fill(
    struct camera_file *file, void (*filled)(void *context, int index), void *context);

#endif
