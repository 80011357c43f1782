/* fuse-camera-for-tests FOLDER MOUNT: serves the cameras FOLDER/video0 … as the files MOUNT/video0
 * …, which answer V4L2 requests, poll(2) and mmap(2) as a driver does (see camera_model.h).
 *
 * The program uses the kernel's FUSE protocol directly: requests with a fixed argument ("restricted
 * ioctl"), notified polls, and pages that are put into the kernel's cache. It needs /dev/fuse and
 * the right to mount. It ends on SIGTERM, and when its standard input is a pipe that is closed, so
 * that it ends with the test that started it. */
#define _GNU_SOURCE
#include "server.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define FIRST_NODE 2
#define FILE_SIZE (1ull << 30)

static const char *folder, *mount_point;
static struct camera *cameras[MOST_CAMERAS];
static struct client *clients[MOST_FILES];
/* Standard input, or -1 if it is not a pipe. */
static int leash = -1;

/* The camera of a number; NULL if it does not exist at present. */
static struct camera *camera(int number)
{
    if (number < 0 || number >= MOST_CAMERAS) return NULL;
    if (cameras[number] == NULL) cameras[number] = camera_load(folder, number);
    return cameras[number] != NULL && !camera_is_unplugged(cameras[number]) ? cameras[number]
                                                                            : NULL;
}

static void describe(uint64_t node, struct fuse_attr *result)
{
    memset(result, 0, sizeof *result);
    result->ino = node;
    result->nlink = 1;
    result->blksize = 4096;
    result->mode = node == FUSE_ROOT_ID ? S_IFDIR | 0755 : S_IFREG | 0660;
    result->size = node == FUSE_ROOT_ID ? 0 : FILE_SIZE;
}

static void look_up(const struct fuse_in_header *header, const char *name)
{
    int number = -1, end = 0;
    if (sscanf(name, "video%d%n", &number, &end) != 1 || name[end] != 0 || camera(number) == NULL)
        return reply(header->unique, -ENOENT, NULL, 0, NULL, 0);
    struct fuse_entry_out out = {.nodeid = (uint64_t)(number + FIRST_NODE)};
    describe(out.nodeid, &out.attr);
    reply(header->unique, 0, &out, sizeof out, NULL, 0);
}

static void list(const struct fuse_in_header *header, const struct fuse_read_in *in)
{
    char entries[4096];
    size_t used = 0;
    for (int number = 0; in->offset == 0 && number < MOST_CAMERAS; number++) {
        if (camera(number) == NULL) continue;
        char name[20];
        int length = snprintf(name, sizeof name, "video%d", number);
        size_t size = FUSE_DIRENT_ALIGN(FUSE_NAME_OFFSET + (size_t)length);
        if (used + size > in->size || used + size > sizeof entries) break;
        struct fuse_dirent *entry = (struct fuse_dirent *)(entries + used);
        memset(entry, 0, size);
        entry->ino = (uint64_t)(number + FIRST_NODE);
        entry->off = (uint64_t)number + 1;
        entry->namelen = (uint32_t)length;
        entry->type = DT_REG;
        memcpy(entry->name, name, (size_t)length);
        used += size;
    }
    reply(header->unique, 0, entries, used, NULL, 0);
}

static void open_camera(const struct fuse_in_header *header, const struct fuse_open_in *in)
{
    struct camera *found = camera((int)(header->nodeid - FIRST_NODE));
    int slot = 0;
    while (slot < MOST_FILES && clients[slot] != NULL) slot++;
    struct client *client = found != NULL && slot < MOST_FILES ? calloc(1, sizeof *client) : NULL;
    if (client != NULL && (client->file = camera_open(found)) == NULL) {
        free(client);
        client = NULL;
    }
    if (client == NULL) return reply(header->unique, -ENODEV, NULL, 0, NULL, 0);
    client->node = header->nodeid;
    client->is_nonblocking = (in->flags & O_NONBLOCK) != 0;
    camera_on_fill(client->file, store_buffer, client);
    clients[slot] = client;
    struct fuse_open_out out = {
        .fh = (uint64_t)(uintptr_t)client, .open_flags = FOPEN_KEEP_CACHE | FOPEN_NONSEEKABLE};
    reply(header->unique, 0, &out, sizeof out, NULL, 0);
}

static void close_camera(const struct fuse_in_header *header, const struct fuse_release_in *in)
{
    struct client *client = (struct client *)(uintptr_t)in->fh;
    for (int slot = 0; slot < MOST_FILES; slot++)
        if (clients[slot] == client) clients[slot] = NULL;
    camera_close(client->file);
    free(client);
    reply(header->unique, 0, NULL, 0, NULL, 0);
}

/* Reads again a page that was evicted from the kernel's cache. */
static void read_memory(const struct fuse_in_header *header, const struct fuse_read_in *in)
{
    static char zeros[1 << 18];
    struct camera *found = camera((int)(header->nodeid - FIRST_NODE));
    struct camera_file *owner = found != NULL ? camera_owner(found) : NULL;
    size_t size = in->size < sizeof zeros ? in->size : sizeof zeros;
    size_t all = owner != NULL ? camera_buffer_size(owner) * (size_t)camera_buffer_count(owner) : 0;
    size_t there = in->offset < all ? all - in->offset : 0;
    if (there > size) there = size;
    const void *memory = there > 0 ? camera_memory(owner) + in->offset : NULL;
    reply(header->unique, 0, memory, there, zeros, size - there);
}

static void answer_poll(const struct fuse_in_header *header, const struct fuse_poll_in *in)
{
    struct client *client = (struct client *)(uintptr_t)in->fh;
    struct fuse_poll_out out = {.revents = camera_poll(client->file)};
    if (in->flags & FUSE_POLL_SCHEDULE_NOTIFY) {
        client->poll_handle = in->kh;
        client->is_polling = 1;
    }
    reply(header->unique, 0, &out, sizeof out, NULL, 0);
}

/* Handles a signal for a client that waits in VIDIOC_DQBUF. */
static void interrupt(const struct fuse_interrupt_in *in)
{
    for (int slot = 0; slot < MOST_FILES; slot++)
        if (clients[slot] != NULL && clients[slot]->dequeue == in->unique) {
            clients[slot]->dequeue = 0;
            reply(in->unique, -EINTR, NULL, 0, NULL, 0);
        }
}

static void greet(const struct fuse_in_header *header, const struct fuse_init_in *in)
{
    struct fuse_init_out out = {
        .major = 7,
        .minor = 31,
        .max_readahead = in->max_readahead,
        .max_background = 16,
        .congestion_threshold = 12,
        .max_write = 131072,
        .time_gran = 1,
    };
    reply(header->unique, 0, &out, sizeof out, NULL, 0);
}

static void answer(const struct fuse_in_header *header, const void *in)
{
    switch (header->opcode) {
    case FUSE_INIT: return greet(header, in);
    case FUSE_LOOKUP: return look_up(header, in);
    case FUSE_GETATTR:
    case FUSE_SETATTR: {
        struct fuse_attr_out out = {0};
        describe(header->nodeid, &out.attr);
        return reply(header->unique, 0, &out, sizeof out, NULL, 0);
    }
    case FUSE_OPENDIR: {
        struct fuse_open_out out = {0};
        return reply(header->unique, 0, &out, sizeof out, NULL, 0);
    }
    case FUSE_READDIR: return list(header, in);
    case FUSE_OPEN: return open_camera(header, in);
    case FUSE_RELEASE: return close_camera(header, in);
    case FUSE_READ: return read_memory(header, in);
    case FUSE_WRITE: {
        struct fuse_write_out out = {((const struct fuse_write_in *)in)->size, 0};
        return reply(header->unique, 0, &out, sizeof out, NULL, 0);
    }
    case FUSE_IOCTL: {
        const struct fuse_ioctl_in *request = in;
        return answer_request((struct client *)(uintptr_t)request->fh, header, request);
    }
    case FUSE_POLL: return answer_poll(header, in);
    case FUSE_INTERRUPT: return interrupt(in);
    case FUSE_STATFS: {
        struct fuse_statfs_out out = {0};
        return reply(header->unique, 0, &out, sizeof out, NULL, 0);
    }
    case FUSE_FORGET:
    case FUSE_BATCH_FORGET: return;
    case FUSE_RELEASEDIR:
    case FUSE_FLUSH:
    case FUSE_FSYNC: return reply(header->unique, 0, NULL, 0, NULL, 0);
    default: return reply(header->unique, -ENOSYS, NULL, 0, NULL, 0);
    }
}

static void leave(int signal)
{
    (void)signal;
    umount2(mount_point, MNT_DETACH);
    _exit(0);
}

/* Waits for the kernel, at most until the next frame that a client waits for. Also checks for
 * unplugged cameras. */
static int await_kernel(void)
{
    uint64_t now = camera_clock(), due = now + 50000000;
    for (int slot = 0; slot < MOST_FILES; slot++) {
        struct client *client = clients[slot];
        if (client == NULL) continue;
        wake_client(client);
        uint64_t next = camera_due(client->file);
        if ((client->dequeue != 0 || client->is_polling) && next < due) due = next;
    }
    now = camera_clock();
    struct timespec time = {0, due > now ? (long)(due - now) : 0};
    struct pollfd files[] = {{kernel, POLLIN, 0}, {leash, 0, 0}};
    int count = ppoll(files, 2, &time, NULL);
    if (files[1].revents != 0) leave(0);
    return count;
}

int main(int count, char **arguments)
{
    if (count != 3) {
        fprintf(stderr, "usage: %s FOLDER MOUNT\n", arguments[0]);
        return 2;
    }
    folder = arguments[1];
    mount_point = arguments[2];
    kernel = open("/dev/fuse", O_RDWR | O_CLOEXEC);
    if (kernel < 0) {
        perror("/dev/fuse");
        return 1;
    }
    char options[128];
    snprintf(options, sizeof options, "fd=%d,rootmode=40000,user_id=%u,group_id=%u,allow_other",
        kernel, getuid(), getgid());
    if (mount("cameras", mount_point, "fuse.cameras", MS_NOSUID | MS_NODEV, options) != 0) {
        perror(mount_point);
        return 1;
    }
    signal(SIGTERM, leave);
    signal(SIGINT, leave);
    struct stat input;
    if (fstat(STDIN_FILENO, &input) == 0 && S_ISFIFO(input.st_mode)) leash = STDIN_FILENO;

    static char request[1 << 18] __attribute__((aligned(16)));
    for (;;) {
        if (await_kernel() <= 0) continue;
        ssize_t size = read(kernel, request, sizeof request);
        if (size >= (ssize_t)sizeof(struct fuse_in_header))
            answer((struct fuse_in_header *)request, request + sizeof(struct fuse_in_header));
        else if (size < 0 && errno == ENODEV)
            return 0; /* unmounted */
        else if (size < 0 && errno != EINTR && errno != ENOENT && errno != EAGAIN) {
            perror("/dev/fuse");
            return 1;
        }
    }
}
