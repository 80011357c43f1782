/* The camera of camera_model.h for programs that are started with this library preloaded. It is for
 * machines where nobody may mount, and for programs that require a character device.
 *
 *     CAMERA_FOLDER=FOLDER CAMERA_NODES=NODES LD_PRELOAD=preload.so PROGRAM
 *
 * The path NODES/videoN is the camera FOLDER/videoN. Its descriptor is a timer that expires when
 * the next frame is due, so the kernel provides poll, select, epoll, O_NONBLOCK and close-on-exec.
 * The library replaces the rest: opening, closing, requests, mapping, and the results of stat and
 * of errors in poll. */
#define _GNU_SOURCE
#include "camera_model.h"
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/timerfd.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#define MOST_CAMERAS 16
#define MOST_FILES 1024
#define MOST_CONTROLS_IN_LIST 64
#define VIDEO_MAJOR 81

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct camera *cameras[MOST_CAMERAS];
static int numbers[MOST_FILES];
static struct camera_file *files[MOST_FILES];

/* The number of the camera at a path, or -1. */
static int camera_number(const char *path)
{
    const char *nodes = getenv("CAMERA_NODES");
    int number, end = 0;
    size_t length = nodes != NULL ? strlen(nodes) : 0;
    if (path == NULL || length == 0 || strncmp(path, nodes, length) != 0) return -1;
    if (sscanf(path + length, "/video%d%n", &number, &end) != 1 || path[length + (size_t)end] != 0)
        return -1;
    if (number < 0 || number >= MOST_CAMERAS) return -1;
    pthread_mutex_lock(&lock);
    if (cameras[number] == NULL) cameras[number] = camera_load(getenv("CAMERA_FOLDER"), number);
    int is_there = cameras[number] != NULL;
    pthread_mutex_unlock(&lock);
    return is_there ? number : -1;
}

static struct camera_file *file_of(int descriptor)
{ return descriptor >= 0 && descriptor < MOST_FILES ? files[descriptor] : NULL; }

/* Lets the timer expire when the next frame is due. */
static void arm(int descriptor)
{
    uint64_t due = camera_due(file_of(descriptor));
    struct itimerspec time = {{0, 0}, {0, 0}};
    if (due != UINT64_MAX) {
        due = due == 0 ? 1 : due;
        time.it_value.tv_sec = (time_t)(due / 1000000000);
        time.it_value.tv_nsec = (long)(due % 1000000000);
    }
    timerfd_settime(descriptor, TFD_TIMER_ABSTIME, &time, NULL);
}

static int open_camera(int number, int flags)
{
    if (camera_is_unplugged(cameras[number])) {
        errno = ENODEV;
        return -1;
    }
    int kind = (flags & O_NONBLOCK ? TFD_NONBLOCK : 0) | (flags & O_CLOEXEC ? TFD_CLOEXEC : 0);
    int descriptor = timerfd_create(CLOCK_MONOTONIC, kind);
    if (descriptor < 0 || descriptor >= MOST_FILES) return descriptor;
    pthread_mutex_lock(&lock);
    files[descriptor] = camera_open(cameras[number]);
    numbers[descriptor] = number;
    pthread_mutex_unlock(&lock);
    return descriptor;
}

static int open_path_at(int folder, const char *path, int flags, int mode)
{
    int number = path[0] == '/' ? camera_number(path) : -1;
    return number >= 0 ? open_camera(number, flags)
                       : (int)syscall(SYS_openat, (long)folder, path, (long)flags, (long)mode);
}

static int open_path(const char *path, int flags, int mode)
{ return open_path_at(AT_FDCWD, path, flags, mode); }

static int mode_of(int flags, va_list arguments)
{ return flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, int) : 0; }

int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    int mode = mode_of(flags, arguments);
    va_end(arguments);
    return open_path(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    int mode = mode_of(flags, arguments);
    va_end(arguments);
    return open_path(path, flags, mode);
}

/* The functions that Copystand's programs call to open files. */
int openat(int folder, const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    int mode = mode_of(flags, arguments);
    va_end(arguments);
    return open_path_at(folder, path, flags, mode);
}

int openat64(int folder, const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    int mode = mode_of(flags, arguments);
    va_end(arguments);
    return open_path_at(folder, path, flags, mode);
}

/* Programs built with fortified headers call this instead of open. */
int __open_2(const char *path, int flags) { return open_path(path, flags, 0); }
int __open64_2(const char *path, int flags) { return open_path(path, flags, 0); }

int close(int descriptor)
{
    pthread_mutex_lock(&lock);
    struct camera_file *file = file_of(descriptor);
    if (file != NULL) {
        files[descriptor] = NULL;
        camera_close(file);
    }
    pthread_mutex_unlock(&lock);
    return (int)syscall(SYS_close, (long)descriptor);
}

/* Copies through the kernel, so that a wrong pointer becomes an error instead of a crash. */
static int copy(long call, void *ours, void *theirs, size_t size)
{
    struct iovec local = {ours, size}, remote = {theirs, size};
    if (size == 0) return 0;
    return syscall(call, (long)getpid(), &local, 1L, &remote, 1L, 0L) == (long)size ? 0 : -EFAULT;
}

static int is_list(uint32_t request)
{
    return request == (uint32_t)VIDIOC_G_EXT_CTRLS || request == (uint32_t)VIDIOC_S_EXT_CTRLS ||
           request == (uint32_t)VIDIOC_TRY_EXT_CTRLS;
}

static int list_request(
    struct camera_file *file, uint32_t request, struct v4l2_ext_controls *controls)
{
    struct v4l2_ext_control list[MOST_CONTROLS_IN_LIST];
    size_t size = controls->count * sizeof list[0];
    if (controls->count > MOST_CONTROLS_IN_LIST) return -EINVAL;
    int failure = copy(SYS_process_vm_readv, list, controls->controls, size);
    if (failure == 0) failure = camera_list_request(file, request, controls, list);
    return failure == 0 ? copy(SYS_process_vm_writev, list, controls->controls, size) : failure;
}

/* Waits until a frame may be there: 0, or -EINTR. */
static int wait_for_frame(uint64_t due)
{
    uint64_t now = camera_clock(), most = 50000000;
    uint64_t time = due == UINT64_MAX || due > now + most ? most : due > now ? due - now : 0;
    struct timespec rest = {0, (long)time};
    return nanosleep(&rest, NULL) != 0 && errno == EINTR ? -EINTR : 0;
}

static int request_camera(int descriptor, uint32_t request, void *theirs)
{
    union {
        char bytes[1024];
        struct v4l2_ext_controls controls;
    } argument;
    size_t size = _IOC_SIZE(request);
    if (_IOC_TYPE(request) != 'V' || size > sizeof argument) return -ENOTTY;
    memset(&argument, 0, sizeof argument);
    int result =
        _IOC_DIR(request) & _IOC_WRITE ? copy(SYS_process_vm_readv, &argument, theirs, size) : 0;
    if (result != 0) return result;
    for (;;) {
        pthread_mutex_lock(&lock);
        struct camera_file *file = file_of(descriptor);
        result = is_list(request) ? list_request(file, request, &argument.controls)
                                  : camera_request(file, request, &argument);
        uint64_t due = camera_due(file);
        arm(descriptor);
        pthread_mutex_unlock(&lock);
        int is_blocking = !(fcntl(descriptor, F_GETFL) & O_NONBLOCK);
        if (result != -EAGAIN || request != (uint32_t)VIDIOC_DQBUF || !is_blocking) break;
        if (wait_for_frame(due) != 0) return -EINTR;
    }
    if ((_IOC_DIR(request) & _IOC_READ) && (result >= 0 || is_list(request))) {
        int failure = copy(SYS_process_vm_writev, &argument, theirs, size);
        return result >= 0 && failure != 0 ? failure : result;
    }
    return result;
}

int ioctl(int descriptor, unsigned long request, ...)
{
    va_list arguments;
    va_start(arguments, request);
    void *argument = va_arg(arguments, void *);
    va_end(arguments);
    if (file_of(descriptor) == NULL)
        return (int)syscall(SYS_ioctl, (long)descriptor, request, argument);
    int result = request_camera(descriptor, (uint32_t)request, argument);
    if (result >= 0) return result;
    errno = -result;
    return -1;
}

void *mmap(void *address, size_t size, int protection, int flags, int descriptor, off_t offset)
{
    struct camera_file *file = file_of(descriptor);
    if (file == NULL || (flags & MAP_ANONYMOUS))
        return (void *)syscall(
            SYS_mmap, address, size, (long)protection, (long)flags, (long)descriptor, (long)offset);
    pthread_mutex_lock(&lock);
    size_t length = camera_buffer_size(file);
    size_t index = length > 0 ? (size_t)offset / length : 0;
    void *result = MAP_FAILED;
    if (length == 0 || (size_t)offset % length != 0 || index >= (size_t)camera_buffer_count(file) ||
        size > length) {
        errno = EINVAL;
    } else {
        result = (void *)syscall(SYS_mmap, address, size, (long)protection, (long)flags,
            (long)camera_memory_descriptor(file), (long)offset);
        if (result != MAP_FAILED) camera_mapped(file, (int)index);
    }
    pthread_mutex_unlock(&lock);
    return result;
}

void *mmap64(void *address, size_t size, int protection, int flags, int descriptor, off_t offset)
{ return mmap(address, size, protection, flags, descriptor, offset); }

/* Calls the kernel, and adds the cameras' own events: frames, and errors that a timer does not
   have. */
static int poll_once(struct pollfd *list, nfds_t count, int time)
{
    int result = (int)syscall(SYS_poll, list, count, (long)time);
    if (result < 0) return result;
    result = 0;
    for (nfds_t i = 0; i < count; i++) {
        struct camera_file *file = file_of(list[i].fd);
        if (file != NULL) {
            pthread_mutex_lock(&lock);
            unsigned events = camera_poll(file);
            arm(list[i].fd);
            pthread_mutex_unlock(&lock);
            list[i].revents = (short)(events & ((unsigned)list[i].events | POLLERR | POLLHUP));
        }
        result += list[i].revents != 0;
    }
    return result;
}

int poll(struct pollfd *list, nfds_t count, int time)
{
    int has_camera = 0;
    for (nfds_t i = 0; i < count; i++) has_camera |= file_of(list[i].fd) != NULL;
    if (!has_camera) return (int)syscall(SYS_poll, list, count, (long)time);
    uint64_t end = camera_clock() + (uint64_t)(time < 0 ? 0 : time) * 1000000;
    int result = poll_once(list, count, 0);
    while (result == 0) {
        uint64_t now = camera_clock();
        if (time >= 0 && now >= end) return 0;
        /* The wait is interrupted at times, to notice an unplugged camera. */
        uint64_t left = time < 0 ? 100 : (end - now) / 1000000 + 1;
        result = poll_once(list, count, left < 100 ? (int)left : 100);
    }
    return result;
}

/* Makes a camera look like a character device, whatever is at its path. */
static void dress(struct stat *result, int number)
{
    memset(result, 0, sizeof *result);
    result->st_mode = S_IFCHR | 0660;
    result->st_rdev = makedev(VIDEO_MAJOR, number);
    result->st_nlink = 1;
    result->st_blksize = 4096;
}

int fstatat(int folder, const char *path, struct stat *result, int flags)
{
    int number = path[0] == '/' ? camera_number(path) : -1;
    if (number < 0) return (int)syscall(SYS_newfstatat, (long)folder, path, result, (long)flags);
    dress(result, number);
    return 0;
}

int fstatat64(int folder, const char *path, struct stat64 *result, int flags)
{ return fstatat(folder, path, (struct stat *)result, flags); }

int stat(const char *path, struct stat *result) { return fstatat(AT_FDCWD, path, result, 0); }

int fstat(int descriptor, struct stat *result)
{
    if (file_of(descriptor) == NULL)
        return (int)syscall(SYS_newfstatat, (long)descriptor, "", result, (long)AT_EMPTY_PATH);
    dress(result, numbers[descriptor]);
    return 0;
}

/* The same structure on machines of 64 bits. */
int stat64(const char *path, struct stat64 *result) { return stat(path, (struct stat *)result); }
int fstat64(int descriptor, struct stat64 *result)
{ return fstat(descriptor, (struct stat *)result); }

/* v4l2-ctl looks up character devices in sysfs. */
FILE *fopen(const char *path, const char *mode)
{
    FILE *(*next)(const char *, const char *) =
        (FILE * (*)(const char *, const char *)) dlsym(RTLD_NEXT, "fopen");
    int number, end = 0;
    if (sscanf(path, "/sys/dev/char/81:%d/uevent%n", &number, &end) != 1 || end == 0 ||
        path[end] != 0)
        return next(path, mode);
    FILE *file = tmpfile();
    if (file != NULL) {
        fprintf(file, "MAJOR=%d\nMINOR=%d\nDEVNAME=video%d\n", VIDEO_MAJOR, number, number);
        rewind(file);
    }
    return file;
}

FILE *fopen64(const char *path, const char *mode) { return fopen(path, mode); }
