#include "Decode.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* open(2)'s flags for a mode of fopen(3). */
static int flags_of(const char *mode)
{
    int flags = strchr(mode, '+') ? O_RDWR : *mode == 'r' ? O_RDONLY : O_WRONLY;
    if (*mode == 'w') flags |= O_CREAT | O_TRUNC;
    if (*mode == 'a') flags |= O_CREAT | O_APPEND;
    if (strchr(mode, 'e')) flags |= O_CLOEXEC;
    if (strchr(mode, 'x')) flags |= O_EXCL;
    return flags;
}

FILE *fopen(const char *restrict path, const char *restrict mode)
{
    int file = open(path, flags_of(mode), 0666);
    if (file < 0) return NULL;
    FILE *stream = fdopen(file, mode);
    if (stream == NULL) {
        int failure = errno;
        close(file);
        errno = failure;
    }
    return stream;
}

FILE *fopen64(const char *restrict path, const char *restrict mode) { return fopen(path, mode); }
