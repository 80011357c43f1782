#define _GNU_SOURCE
#include "server.h"
#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/uio.h>

#define MOST_CONTROLS_IN_LIST 64

/* Copies data to or from a client: a request does not contain the data that its argument points
 * to. */
static int copy(int process, int is_writing, void *ours, uint64_t theirs, size_t size)
{
    struct iovec local = {ours, size}, remote = {(void *)(uintptr_t)theirs, size};
    ssize_t count = is_writing ? process_vm_writev(process, &local, 1, &remote, 1, 0)
                               : process_vm_readv(process, &local, 1, &remote, 1, 0);
    return count == (ssize_t)size ? 0 : -EFAULT;
}

static int list_request(struct client *client, const struct fuse_in_header *header,
    uint32_t request, struct v4l2_ext_controls *controls)
{
    struct v4l2_ext_control list[MOST_CONTROLS_IN_LIST];
    size_t size = controls->count * sizeof list[0];
    uint64_t place = (uint64_t)(uintptr_t)controls->controls;
    if (controls->count > MOST_CONTROLS_IN_LIST) return -EINVAL;
    int failure = size > 0 ? copy((int)header->pid, 0, list, place, size) : 0;
    if (failure == 0) failure = camera_list_request(client->file, request, controls, list);
    if (failure == 0 && size > 0) failure = copy((int)header->pid, 1, list, place, size);
    return failure;
}

static int is_list(uint32_t request)
{
    return request == (uint32_t)VIDIOC_G_EXT_CTRLS || request == (uint32_t)VIDIOC_S_EXT_CTRLS ||
           request == (uint32_t)VIDIOC_TRY_EXT_CTRLS;
}

/* Answers the waiting VIDIOC_DQBUF, unless there is still no frame. */
static void answer_dequeue(struct client *client)
{
    struct v4l2_buffer buffer = client->dequeue_argument;
    int result = camera_request(client->file, (uint32_t)VIDIOC_DQBUF, &buffer);
    if (result == -EAGAIN) return;
    uint64_t unique = client->dequeue;
    client->dequeue = 0;
    reply_request(unique, result, &buffer, result < 0 ? 0 : sizeof buffer);
}

void wake_client(struct client *client)
{
    if (client->dequeue != 0) answer_dequeue(client);
    if (client->is_polling && camera_poll(client->file) != 0) {
        struct fuse_notify_poll_wakeup_out out = {client->poll_handle};
        client->is_polling = 0;
        reply(0, FUSE_NOTIFY_POLL, &out, sizeof out, NULL, 0);
    }
}

void answer_request(
    struct client *client, const struct fuse_in_header *header, const struct fuse_ioctl_in *in)
{
    union {
        char bytes[1024];
        struct v4l2_ext_controls controls;
        struct v4l2_buffer buffer;
    } argument;
    memset(&argument, 0, sizeof argument);
    if (in->in_size > sizeof argument || in->out_size > sizeof argument ||
        _IOC_TYPE(in->cmd) != 'V')
        return reply_request(header->unique, -ENOTTY, NULL, 0);
    memcpy(&argument, in + 1, in->in_size);
    if (is_list(in->cmd)) {
        int result = list_request(client, header, in->cmd, &argument.controls);
        /* The error names the control. */
        return reply_request(header->unique, result, &argument, in->out_size);
    }
    if (in->cmd == (uint32_t)VIDIOC_DQBUF && !client->is_nonblocking) {
        client->dequeue = header->unique;
        client->dequeue_argument = argument.buffer;
        return answer_dequeue(client);
    }
    int result = camera_request(client->file, in->cmd, &argument);
    if (in->cmd == (uint32_t)VIDIOC_REQBUFS && result == 0)
        /* All pages are there before the client maps them, so that reads never race with stores.
         */
        for (int i = 0; i < camera_buffer_count(client->file); i++) store_buffer(client, i);
    reply_request(header->unique, result, &argument, result < 0 ? 0 : in->out_size);
}
