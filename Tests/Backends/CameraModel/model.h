/* The declarations that the parts of the model share.
 *
 * System calls that the LD_PRELOAD form replaces go straight to the kernel by syscall(2), whose
 * arguments must all be as wide as a register: the last of mmap(2) is on the stack. */
#ifndef MODEL_H
#define MODEL_H

#include "camera_model.h"

#define MOST_MODES 32
#define MOST_RATES 8
#define MOST_CONTROLS 32

/* A size of a format, with its clip. */
struct mode {
    uint32_t format, width, height, frame_size;
    int rates[MOST_RATES], rate_count;
    char path[512];
    /* The clip, mapped when it is first needed: frame i is the bytes from starts[i] to starts[i
     * + 1]. */
    const uint8_t *clip;
    size_t *starts;
    int frame_count;
};

/* A control; one with a governor can be set only while its governor has the value `manual`. */
struct control {
    uint32_t id, type, flags;
    const char *name;
    int64_t least, most, step, standard, value;
    uint32_t governor;
    int64_t manual;
};

struct camera {
    char folder[256], card[32], bus[32];
    uint32_t capabilities;
    int number;
    struct mode modes[MOST_MODES];
    int mode_count, mode, rate;
    /* The connector in use (0 is the camera itself and 1 is HDMI), and the index of the timings
     * that are set.
     */
    int input, timings;
    uint32_t formats[MOST_MODES];
    int format_count;
    struct control controls[MOST_CONTROLS];
    int control_count;
    struct camera_file *owner;
};

enum buffer_state { DEQUEUED, QUEUED, DONE };

struct buffer {
    enum buffer_state state;
    int is_mapped, is_damaged;
    uint32_t used, sequence;
    uint64_t time;
};

struct camera_file {
    struct camera *camera;
    int memory_file, count, is_streaming;
    uint32_t priority;
    uint8_t *memory;
    size_t buffer_size;
    struct buffer buffers[CAMERA_BUFFERS];
    int queue[CAMERA_BUFFERS], queued, done[CAMERA_BUFFERS], finished;
    uint64_t start, tick;
    uint32_t sequence;
    void (*filled)(void *context, int index);
    void *context;
};

/* modes.c */
int modes_load(struct camera *camera);
/* Finds the mode nearest to the requested one; a format that the camera lacks becomes its first
 * one. */
int modes_nearest(const struct camera *camera, uint32_t format, uint32_t width, uint32_t height);
uint32_t row_bytes(uint32_t format, uint32_t width);
/* Maps a mode's clip: 0, or -1. */
int clip_load(struct mode *mode);

/* True if the connector in use offers the mode. */
int mode_is_there(const struct camera *camera, const struct mode *mode);

/* inputs.c */
int input_query(const struct camera *camera, struct v4l2_input *query);
int input_choose(struct camera_file *file, int input);
/* A size that the digital signal may have; NULL if there is none of this number. */
const struct v4l2_bt_timings *timings_at(uint32_t index);
int timings_request(struct camera_file *file, uint32_t request, struct v4l2_dv_timings *timings);

/* knobs.c */
int knob(const struct camera *camera, const char *name);
/* Reads the first line of a file of the camera: 0, or -1. */
int knob_text(const struct camera *camera, const char *name, char *text, size_t size);

/* controls.c */
void controls_load(struct camera *camera);
struct control *control_find(struct camera *camera, uint32_t id);
int control_set(struct camera *camera, uint32_t id, int64_t value);
int control_query(struct camera *camera, struct v4l2_query_ext_ctrl *query);
int control_menu(struct camera *camera, struct v4l2_querymenu *query);

/* buffers.c */
int buffers_request(struct camera_file *file, struct v4l2_requestbuffers *request);
void buffers_free(struct camera_file *file);
int buffers_query(struct camera_file *file, struct v4l2_buffer *buffer);
int buffers_queue(struct camera_file *file, struct v4l2_buffer *buffer);
int buffers_dequeue(struct camera_file *file, struct v4l2_buffer *buffer);
int stream_start(struct camera_file *file);
void stream_stop(struct camera_file *file);
/* Makes every frame that is due by now. */
void stream_advance(struct camera_file *file);

#endif
