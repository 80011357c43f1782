#pragma once
#include "CVideo.h"
#include "Libraries.h"

/* A picture's planes in memory of our own: 4:2:0, or brightness alone. */
struct own_planes {
    uint8_t *memory;
    size_t size;
};

struct video_reader {
    const struct video_libraries *av;
    int descriptor;
    int64_t size, offset;
    int failure; /* the errno of a read that failed; 0 for none */
    video_stop stop;
    const void *context;
    AVIOContext *io;
    AVFormatContext *format;
    AVStream *stream;
    AVCodecContext *decoder;
    AVPacket *packet;
    AVFrame *frame;
    int64_t taken; /* pieces of the picture's stream that were read */
    int64_t whole; /* pieces that the file's own list has; 0 for unknown */
    int has_ended; /* no further piece comes */
    int is_cut;    /* a piece was shorter than it should be, or missing */
    int failures;  /* of reading in a row, or of the decoder after the last piece */
    int turn;      /* of the picture that was decoded last */
    struct SwsContext *scaler;
    struct own_planes scaled, drawn;
};

/* The size of a picture once its pixels are square. */
void video_square_size(video_reader *reader, const AVFrame *frame, int *width, int *height);

/* True if the decoded picture has every plane of pixels of its form. Where the form changes in a
 * damaged video, a decoder's threads may disagree about it. */
int video_has_planes(const video_reader *reader);

/* True if pictures of a form have only brightness. */
int video_is_gray(const AVPixFmtDescriptor *form);
