/* A camera with the interface of V4L2 drivers, without a driver: formats, controls, buffers, and
 * faults on request.
 *
 * A camera is a folder `videoN`:
 *
 *     MJPG-1280x720@30,15.bin   JPEG pictures one after another, given 30 or 15 times a second
 *     YUYV-640x480@30.bin       raw frames one after another, packed
 *     card, bus, kind           its name, its place, and "metadata" or "output" for a node that
 * sends no pictures
 *
 *     hdmi                      makes a second input, and names the size of the signal there:
 * "64x48", "32x24", or nothing range, colors            "full" or "limited", "709": what its
 * samples mean (quantization, ycbcr_enc)
 *
 * Files that a test makes and removes there change what it does:
 *
 *     unplugged   every request answers ENODEV
 *     busy        another program is filming: EBUSY
 *     stalled     no more frames come
 *     corrupt     frames come with V4L2_BUF_FLAG_ERROR
 *     cut         frames come with half of their bytes
 *     lossy       every second frame is lost in the driver: DQBUF answers EIO
 *
 * Nothing runs on its own: frames that are due by the clock are made when they are requested. Not
 * for several threads at a time. */
#ifndef CAMERA_MODEL_H
#define CAMERA_MODEL_H

#include <linux/videodev2.h>
#include <stddef.h>
#include <stdint.h>

#define CAMERA_BUFFERS 32

struct camera;
struct camera_file;

/* The camera in ROOT/videoNUMBER; NULL if there is none, or its folder has no mode. */
struct camera *camera_load(const char *root, int number);
int camera_is_unplugged(const struct camera *camera);

struct camera_file *camera_open(struct camera *camera);
void camera_close(struct camera_file *file);

/* A request of V4L2 other than those with lists of controls: 0, or a negative error number.
   VIDIOC_DQBUF returns -EAGAIN if there is no frame; the caller has to wait. */
int camera_request(struct camera_file *file, uint32_t request, void *argument);

/* VIDIOC_G_EXT_CTRLS, VIDIOC_S_EXT_CTRLS, VIDIOC_TRY_EXT_CTRLS, whose argument points to a list. */
int camera_list_request(struct camera_file *file, uint32_t request,
    struct v4l2_ext_controls *controls, struct v4l2_ext_control *list);

/* What poll(2) would say. */
unsigned camera_poll(struct camera_file *file);

/* When the next frame is due, by camera_clock; 0 when one is there, UINT64_MAX for never. */
uint64_t camera_due(const struct camera_file *file);
/* Nanoseconds of CLOCK_MONOTONIC. */
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
