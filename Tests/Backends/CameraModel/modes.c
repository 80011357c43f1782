#define _GNU_SOURCE
#include "model.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

uint32_t row_bytes(uint32_t format, uint32_t width)
{
    switch (format) {
    case V4L2_PIX_FMT_MJPEG: return 0;
    case V4L2_PIX_FMT_RGB24:
    case V4L2_PIX_FMT_BGR24: return width * 3;
    case V4L2_PIX_FMT_YUYV:
    case V4L2_PIX_FMT_UYVY:
    case V4L2_PIX_FMT_YVYU: return (width + 1) / 2 * 4;
    default: return width; /* one byte a pixel in the first plane */
    }
}

static uint32_t frame_bytes(uint32_t format, uint32_t width, uint32_t height)
{
    switch (format) {
    case V4L2_PIX_FMT_MJPEG: return width * height * 2;
    case V4L2_PIX_FMT_NV12:
    case V4L2_PIX_FMT_YUV420: return row_bytes(format, width) * (height + (height + 1) / 2);
    default: return row_bytes(format, width) * height;
    }
}

/* Reads "MJPG-1280x720@30,15.bin". */
static int parse(const char *name, struct mode *mode)
{
    char letters[5];
    int end = 0;
    memset(mode, 0, sizeof *mode);
    if (sscanf(name, "%4c-%ux%u@%n", letters, &mode->width, &mode->height, &end) < 3 || end == 0)
        return -1;
    mode->format = v4l2_fourcc(letters[0], letters[1], letters[2], letters[3]);
    mode->frame_size = frame_bytes(mode->format, mode->width, mode->height);
    for (const char *place = name + end; mode->rate_count < MOST_RATES; place++) {
        char *after;
        long rate = strtol(place, &after, 10);
        if (after == place || rate < 1) break;
        mode->rates[mode->rate_count++] = (int)rate;
        place = after;
        if (*place != ',') break;
    }
    return mode->rate_count > 0 ? 0 : -1;
}

/* Sorts by the formats' names, and the largest size of a format first. */
static int compare(const void *left, const void *right)
{
    const struct mode *one = left, *other = right;
    if (one->format != other->format) return one->format < other->format ? -1 : 1;
    uint64_t area = (uint64_t)one->width * one->height,
             other_area = (uint64_t)other->width * other->height;
    return area > other_area ? -1 : area < other_area;
}

int modes_load(struct camera *camera)
{
    DIR *folder = opendir(camera->folder);
    if (folder == NULL) return -1;
    struct dirent *entry;
    while (camera->mode_count < MOST_MODES && (entry = readdir(folder)) != NULL) {
        struct mode *mode = &camera->modes[camera->mode_count];
        if (parse(entry->d_name, mode) != 0) continue;
        size_t length = strlen(camera->folder), name = strlen(entry->d_name) + 1;
        if (length + 1 + name > sizeof mode->path) continue;
        memcpy(mode->path, camera->folder, length);
        mode->path[length] = '/';
        memcpy(mode->path + length + 1, entry->d_name, name);
        camera->mode_count++;
    }
    closedir(folder);
    qsort(camera->modes, (size_t)camera->mode_count, sizeof camera->modes[0], compare);
    for (int i = 0; i < camera->mode_count; i++)
        if (i == 0 || camera->modes[i].format != camera->modes[i - 1].format)
            camera->formats[camera->format_count++] = camera->modes[i].format;
    return camera->mode_count > 0 ? 0 : -1;
}

int modes_nearest(const struct camera *camera, uint32_t format, uint32_t width, uint32_t height)
{
    uint32_t found = camera->formats[0];
    for (int i = 0; i < camera->format_count; i++)
        if (camera->formats[i] == format) found = format;
    int best = 0;
    long distance = -1;
    for (int i = 0; i < camera->mode_count; i++) {
        const struct mode *mode = &camera->modes[i];
        if (mode->format != found || !mode_is_there(camera, mode)) continue;
        long away = labs((long)mode->width - (long)width) + labs((long)mode->height - (long)height);
        if (distance < 0 || away < distance) {
            best = i;
            distance = away;
        }
    }
    return best;
}

/* Finds the start of each JPEG picture of a clip: SOI followed by another marker. */
static int find_pictures(struct mode *mode, size_t length)
{
    size_t room = 64;
    mode->starts = malloc(room * sizeof *mode->starts);
    for (size_t i = 0; mode->starts != NULL && i + 2 < length; i++) {
        if (mode->clip[i] != 0xff || mode->clip[i + 1] != 0xd8 || mode->clip[i + 2] != 0xff)
            continue;
        if ((size_t)mode->frame_count + 2 > room)
            mode->starts = realloc(mode->starts, (room *= 2) * sizeof *mode->starts);
        if (mode->starts != NULL) mode->starts[mode->frame_count++] = i;
    }
    if (mode->starts == NULL || mode->frame_count == 0) return -1;
    mode->starts[mode->frame_count] = length;
    return 0;
}

int clip_load(struct mode *mode)
{
    if (mode->clip != NULL) return 0;
    int file = (int)syscall(SYS_openat, AT_FDCWD, mode->path, O_RDONLY | O_CLOEXEC, 0);
    if (file < 0) return -1;
    long length = syscall(SYS_lseek, file, 0, SEEK_END);
    void *clip =
        (void *)syscall(SYS_mmap, 0L, length, (long)PROT_READ, (long)MAP_PRIVATE, (long)file, 0L);
    syscall(SYS_close, file);
    if (length <= 0 || clip == MAP_FAILED) return -1;
    mode->clip = clip;
    if (mode->format == V4L2_PIX_FMT_MJPEG) return find_pictures(mode, (size_t)length);
    mode->frame_count = (int)((size_t)length / mode->frame_size);
    mode->starts = malloc(((size_t)mode->frame_count + 1) * sizeof *mode->starts);
    if (mode->frame_count == 0 || mode->starts == NULL) return -1;
    for (int i = 0; i <= mode->frame_count; i++) mode->starts[i] = (size_t)i * mode->frame_size;
    return 0;
}
