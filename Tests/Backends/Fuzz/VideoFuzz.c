/* The function that libFuzzer calls: the bytes are a video, which is opened as every container
 * in turn, decoded and drawn. Scripts/fuzz builds it. */
#define _GNU_SOURCE
#include "CVideo.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { most_pixels = 1 << 20, most_pictures = 60 };

static int never(const void *context)
{
    (void)context;
    return 0;
}

static void draw(video_reader *reader, const video_picture *picture)
{
    if (picture->width < 1 || picture->height < 1) return;
    if ((int64_t)picture->width * picture->height > most_pixels) return;
    int swaps = picture->turn >= 5;
    size_t width = (size_t)(swaps ? picture->height : picture->width),
           height = (size_t)(swaps ? picture->width : picture->height);
    size_t stride = picture->is_gray ? width : (width + 1) / 2 * 2;
    /* The allocation is exactly as large as the frame, so that any write beyond it is detected. */
    uint8_t *frame = malloc(stride * (picture->is_gray ? height : height + (height + 1) / 2));
    char message[64];
    if (frame) video_draw(reader, frame, stride, message, sizeof message);
    free(frame);
}

static void play(int descriptor, size_t size, video_container container)
{
    video_reader *reader;
    video_facts facts;
    char message[64];
    if (video_open(descriptor, (int64_t)size, container, most_pixels, never, NULL, &reader, &facts,
            message, sizeof message) != video_good)
        return;
    for (int count = 0; count < most_pictures; count++) {
        video_picture picture;
        video_outcome outcome = video_next(reader, never, NULL, &picture, message, sizeof message);
        if (outcome == video_good) {
            draw(reader, &picture);
        } else if (outcome != video_broken && outcome != video_broken_off) {
            break;
        }
    }
    video_close(reader);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    int descriptor = memfd_create("video", MFD_CLOEXEC);
    if (descriptor < 0 || write(descriptor, bytes, size) != (ssize_t)size) abort();
    for (video_container container = video_quicktime; container <= video_avi; container++)
        play(descriptor, size, container);
    close(descriptor);
    return 0;
}
