#pragma once
/* Reads the pictures of a video through libavformat, libavcodec and libswscale, which are loaded
   when they are first needed (dlopen): together with their own libraries they would double the
   start time of a program that mostly reads pictures.

   Only the descriptor that is given is read. No other file, address or subtitle that a video names
   is opened, and only the containers and codecs that are listed here read its bytes. */
#include <stddef.h>
#include <stdint.h>

typedef struct video_reader video_reader;

/* The result of a call. */
typedef enum {
    video_good,
    video_ended,      /* there is no further picture */
    video_broken,     /* a piece of the file is damaged; those after it may be whole */
    video_broken_off, /* the file ends before its last picture does */
    video_stopped,    /* the caller asked for that */
    video_damaged,    /* the file can't be followed any further */
    video_unreadable, /* the system can't read it */
    video_no_memory,
    video_no_library, /* a library is not installed */
    video_no_picture, /* it has no pictures, such as sound alone */
    video_no_decoder, /* its pictures are coded in a way that is not decoded here */
    video_odd_colors  /* their colors are stored in a way that is not converted here */
} video_outcome;

/* The containers that are read. */
typedef enum { video_quicktime, video_matroska, video_avi } video_container;

/* A file's information about its pictures, before the first one. */
typedef struct {
    const char *codec; /* its name, such as "h264"; lives forever */
    int width, height; /* pixels as they are coded; 0 for unknown */
    double rate;       /* pictures a second; 0 for unknown */
    int64_t count;     /* pictures; 0 for unknown */
} video_facts;

/* A decoded picture. */
typedef struct {
    int width, height; /* pixels, once they are made square, before the turn */
    int turn;          /* how it must be turned to stand upright, as EXIF numbers it: 1…8 */
    int is_gray;
    int is_absolute; /* its light is in candelas (HDR, PQ), but it is drawn as if it were not */
    int is_key;      /* it can be decoded without any other */
    int is_flawed;   /* a part of it was lost and invented */
    int64_t number;  /* the place of its data in the file, counted from 1 */
    int64_t last; /* after video_broken: the lost pictures are between `number` and this */
    double time;  /* seconds from any origin; NAN for unknown */
} video_picture;

/* Called at times with its context; any result but 0 ends the call with video_stopped. */
typedef int (*video_stop)(const void *context);

/* Opens the video in `descriptor`, which must stay open as long as the reader; `size` bytes of it
   are read. No picture may have more than `most_pixels`. If the result is not video_good, there is
   no reader, and `message`, which has room for `length` bytes, says more or is empty; with
   video_no_decoder it is the codec's name. */
video_outcome video_open(int descriptor, int64_t size, video_container container,
    int64_t most_pixels, video_stop stop, const void *context, video_reader **reader,
    video_facts *facts, char *message, size_t length);

/* Decodes the next picture: video_good, video_ended, video_broken, video_broken_off, video_stopped,
   video_no_memory, video_damaged or video_unreadable. After video_broken, pictures may depend on
   lost ones, up to the next key picture in the file. */
video_outcome video_next(video_reader *reader, video_stop stop, const void *context,
    video_picture *picture, char *message, size_t length);

/* Draws the picture that was decoded last, turned upright: as NV12 of ITU-R BT.601 with 16 to 235,
   or as gray of 0 to 255. Its rows are `stride` bytes apart; those of color begin `stride` × rows
   after the first. video_good, video_odd_colors or video_no_memory. */
video_outcome video_draw(
    video_reader *reader, uint8_t *to, size_t stride, char *message, size_t length);

void video_close(video_reader *reader);
