#define _GNU_SOURCE
#include "server.h"
#include <errno.h>
#include <stdio.h>
#include <sys/uio.h>

int kernel = -1;

void reply(uint64_t unique, int error, const void *first, size_t first_size, const void *second,
    size_t second_size)
{
    struct fuse_out_header header = {
        (uint32_t)(sizeof header + first_size + second_size), error, unique};
    struct iovec parts[] = {
        {&header, sizeof header},
        {(void *)first, first_size},
        {(void *)second, second_size},
    };
    /* ENOENT: the client has ended in the meantime. */
    if (writev(kernel, parts, 3) < 0 && errno != ENOENT)
        perror("the kernel does not take an answer");
}

void reply_request(uint64_t unique, int result, const void *argument, size_t size)
{
    struct fuse_ioctl_out out = {.result = result};
    reply(unique, 0, &out, sizeof out, argument, size);
}

void store_buffer(void *context, int index)
{
    const struct client *client = context;
    size_t size = camera_buffer_size(client->file);
    struct fuse_notify_store_out out = {
        .nodeid = client->node,
        .offset = (uint64_t)index * size,
        .size = (uint32_t)size,
    };
    reply(0, FUSE_NOTIFY_STORE, &out, sizeof out,
        camera_memory(client->file) + (size_t)index * size, size);
}
