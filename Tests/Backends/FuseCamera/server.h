/* The declarations that the parts of the server share. */
#ifndef SERVER_H
#define SERVER_H

#include "camera_model.h"
#include <linux/fuse.h>

#define MOST_CAMERAS 16
#define MOST_FILES 64

/* A client's open file, and the requests that wait for an answer. */
struct client {
    struct camera_file *file;
    uint64_t node;
    int is_nonblocking;
    /* A VIDIOC_DQBUF that has not been answered. */
    uint64_t dequeue;
    struct v4l2_buffer dequeue_argument;
    /* A poll(2) to be notified. */
    uint64_t poll_handle;
    int is_polling;
};

/* wire.c: the connection to the kernel. */
extern int kernel;
/* Answers a request. With `unique` 0 and a code in `error` it sends a notification instead. The
 * payload may be in two parts. */
void reply(uint64_t unique, int error, const void *first, size_t first_size, const void *second,
    size_t second_size);
void reply_request(uint64_t unique, int result, const void *argument, size_t size);
/* Puts a buffer into the kernel's page cache, where the client's mapping sees it. */
void store_buffer(void *client, int index);

/* requests.c */
void answer_request(
    struct client *client, const struct fuse_in_header *header, const struct fuse_ioctl_in *in);
/* Answers a waiting VIDIOC_DQBUF and poll(2) if there is a frame or an event. */
void wake_client(struct client *client);

#endif
