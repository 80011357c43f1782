#define _GNU_SOURCE
#include "model.h"
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

uint64_t camera_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static uint64_t period(const struct camera_file *file)
{ return 1000000000 / (uint64_t)file->camera->rate; }

void buffers_free(struct camera_file *file)
{
    if (file->memory != NULL)
        syscall(SYS_munmap, file->memory, file->buffer_size * (size_t)file->count);
    if (file->memory_file >= 0) syscall(SYS_close, file->memory_file);
    file->memory = NULL;
    file->memory_file = -1;
    file->count = file->queued = file->finished = file->is_streaming = 0;
    memset(file->buffers, 0, sizeof file->buffers);
    if (file->camera->owner == file) file->camera->owner = NULL;
}

int buffers_request(struct camera_file *file, struct v4l2_requestbuffers *request)
{
    struct camera *camera = file->camera;
    if (request->memory != V4L2_MEMORY_MMAP) return -EINVAL;
    if (knob(camera, "busy") || (camera->owner != NULL && camera->owner != file)) return -EBUSY;
    buffers_free(file);
    request->capabilities = V4L2_BUF_CAP_SUPPORTS_MMAP;
    if (request->count == 0) return 0;
    if (request->count < 2) request->count = 2;
    if (request->count > CAMERA_BUFFERS) request->count = CAMERA_BUFFERS;
    struct mode *mode = &camera->modes[camera->mode];
    if (clip_load(mode) != 0) return -EIO;
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    file->buffer_size = (mode->frame_size + page - 1) / page * page;
    file->count = (int)request->count;
    size_t size = file->buffer_size * request->count;
    file->memory_file = (int)syscall(SYS_memfd_create, "camera", MFD_CLOEXEC);
    if (file->memory_file < 0 || ftruncate(file->memory_file, (off_t)size) != 0) {
        buffers_free(file);
        return -ENOMEM;
    }
    void *memory = (void *)syscall(SYS_mmap, 0L, size, (long)(PROT_READ | PROT_WRITE),
        (long)MAP_SHARED, (long)file->memory_file, 0L);
    if (memory == MAP_FAILED) {
        buffers_free(file);
        return -ENOMEM;
    }
    file->memory = memory;
    camera->owner = file;
    return 0;
}

static void describe(const struct camera_file *file, int index, struct v4l2_buffer *result)
{
    const struct buffer *buffer = &file->buffers[index];
    uint32_t type = result->type;
    memset(result, 0, sizeof *result);
    result->index = (uint32_t)index;
    result->type = type;
    result->memory = V4L2_MEMORY_MMAP;
    result->length = (uint32_t)file->buffer_size;
    result->m.offset = (uint32_t)((size_t)index * file->buffer_size);
    result->field = V4L2_FIELD_NONE;
    result->flags = V4L2_BUF_FLAG_TIMESTAMP_MONOTONIC;
    if (buffer->is_mapped) result->flags |= V4L2_BUF_FLAG_MAPPED;
    if (buffer->is_damaged) result->flags |= V4L2_BUF_FLAG_ERROR;
    if (buffer->state != DEQUEUED)
        result->flags |= buffer->state == QUEUED ? V4L2_BUF_FLAG_QUEUED : V4L2_BUF_FLAG_DONE;
    result->bytesused = buffer->used;
    result->sequence = buffer->sequence;
    result->timestamp.tv_sec = (long)(buffer->time / 1000000000);
    result->timestamp.tv_usec = (long)(buffer->time / 1000 % 1000000);
}

int buffers_query(struct camera_file *file, struct v4l2_buffer *buffer)
{
    if (buffer->index >= (uint32_t)file->count) return -EINVAL;
    stream_advance(file);
    describe(file, (int)buffer->index, buffer);
    return 0;
}

int buffers_queue(struct camera_file *file, struct v4l2_buffer *buffer)
{
    if (buffer->index >= (uint32_t)file->count || buffer->memory != V4L2_MEMORY_MMAP ||
        file->buffers[buffer->index].state != DEQUEUED)
        return -EINVAL;
    stream_advance(file);
    file->buffers[buffer->index].state = QUEUED;
    file->queue[file->queued++] = (int)buffer->index;
    describe(file, (int)buffer->index, buffer);
    return 0;
}

static int take_first(int *list, int *count)
{
    int first = list[0];
    memmove(list, list + 1, (size_t)--*count * sizeof *list);
    return first;
}

int buffers_dequeue(struct camera_file *file, struct v4l2_buffer *buffer)
{
    if (!file->is_streaming || buffer->memory != V4L2_MEMORY_MMAP) return -EINVAL;
    stream_advance(file);
    if (file->finished == 0) return -EAGAIN;
    int index = take_first(file->done, &file->finished);
    file->buffers[index].state = DEQUEUED;
    /* The buffer leaves the queue, and the caller is not told which one it was. */
    if (knob(file->camera, "lossy") && file->buffers[index].sequence % 2 == 1) return -EIO;
    describe(file, index, buffer);
    return 0;
}

int stream_start(struct camera_file *file)
{
    if (file->count == 0) return -EINVAL;
    if (file->is_streaming) return 0;
    file->is_streaming = 1;
    file->start = camera_clock();
    file->tick = file->sequence = 0;
    return 0;
}

void stream_stop(struct camera_file *file)
{
    file->is_streaming = file->queued = file->finished = 0;
    for (int i = 0; i < file->count; i++) file->buffers[i].state = DEQUEUED;
}

static void fill(struct camera_file *file, int index)
{
    const struct mode *mode = &file->camera->modes[file->camera->mode];
    int frame = (int)(file->tick % (uint64_t)mode->frame_count);
    size_t length = mode->starts[frame + 1] - mode->starts[frame];
    if (length > file->buffer_size) length = file->buffer_size;
    memcpy(
        file->memory + (size_t)index * file->buffer_size, mode->clip + mode->starts[frame], length);
    struct buffer *buffer = &file->buffers[index];
    buffer->state = DONE;
    buffer->is_damaged = knob(file->camera, "corrupt");
    buffer->used = (uint32_t)(knob(file->camera, "cut") ? length / 2 : length);
    buffer->time = file->start + file->tick * period(file);
    buffer->sequence = file->sequence;
    file->done[file->finished++] = index;
    if (file->filled != NULL) file->filled(file->context, index);
}

void stream_advance(struct camera_file *file)
{
    if (!file->is_streaming) return;
    uint64_t now = camera_clock();
    int is_stalled = knob(file->camera, "stalled");
    while (file->start + (file->tick + 1) * period(file) <= now) {
        if (file->queued > 0 && !is_stalled) fill(file, take_first(file->queue, &file->queued));
        /* Without a buffer the frame is lost, but it is counted. */
        file->tick++;
        file->sequence++;
    }
}

unsigned camera_poll(struct camera_file *file)
{
    if (camera_is_unplugged(file->camera)) return POLLERR | POLLHUP;
    if (!file->is_streaming) return POLLERR;
    stream_advance(file);
    return file->finished > 0 ? POLLIN | POLLRDNORM : 0;
}

uint64_t camera_due(const struct camera_file *file)
{
    if (file->finished > 0) return 0;
    if (!file->is_streaming || file->queued == 0) return UINT64_MAX;
    return file->start + (file->tick + 1) * period(file);
}

uint8_t *camera_memory(const struct camera_file *file) { return file->memory; }
size_t camera_buffer_size(const struct camera_file *file) { return file->buffer_size; }
int camera_buffer_count(const struct camera_file *file) { return file->count; }
int camera_memory_descriptor(const struct camera_file *file) { return file->memory_file; }

void camera_mapped(struct camera_file *file, int index)
{
    if (index >= 0 && index < file->count) file->buffers[index].is_mapped = 1;
}

void camera_on_fill(
    struct camera_file *file, void (*filled)(void *context, int index), void *context)
{
    file->filled = filled;
    file->context = context;
}
