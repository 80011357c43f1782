#define _GNU_SOURCE
#include "model.h"
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* System calls, since the preloaded form of this model replaces the C library's functions. */

int knob(const struct camera *camera, const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", camera->folder, name);
    return syscall(SYS_faccessat, AT_FDCWD, path, F_OK) == 0;
}

int knob_text(const struct camera *camera, const char *name, char *text, size_t size)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", camera->folder, name);
    int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC, 0);
    if (file < 0) return -1;
    long count = syscall(SYS_read, file, text, size - 1);
    syscall(SYS_close, file);
    if (count < 0) return -1;
    text[count] = 0;
    text[strcspn(text, "\n")] = 0;
    return 0;
}

int camera_is_unplugged(const struct camera *camera) { return knob(camera, "unplugged"); }
