#include "Decode.h"
#include "CFileNames.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Opens folders along `path` until the rest is short enough. */
static int walk(struct place *place, char *path, size_t count)
{
    while (count >= PATH_MAX) {
        char *slash = memrchr(path, '/', PATH_MAX - 1);
        if (slash == NULL || slash == path) {
            errno = ENAMETOOLONG;
            return -1;
        }
        *slash = '\0';
        int next = (int)syscall(SYS_openat, place->folder, path, O_PATH | O_DIRECTORY | O_CLOEXEC);
        if (next < 0) return -1;
        leave_place(place);
        place->folder = place->opened = next;
        size_t used = (size_t)(slash - path) + 1;
        while (used < count && path[used] == '/') used++;
        path += used;
        count -= used;
    }
    memcpy(place->bytes, count > 0 ? path : ".", count > 0 ? count + 1 : 2);
    place->name = place->bytes;
    return 0;
}

int find_place(struct place *place, int folder, const char *path)
{
    place->folder = folder;
    place->opened = -1;
    place->name = path;
    if (path == NULL) return 0;
    size_t count = strlen(path);
    int is_plain = memchr(path, 0xF4, count) == NULL;
    if (is_plain && count < PATH_MAX) return 0;
    if (count < PATH_MAX) {
        place->bytes[cfilenames_decode(path, count, place->bytes)] = '\0';
        place->name = place->bytes;
        return 0;
    }
    char *bytes = malloc(count + 1);
    if (bytes == NULL) return -1;
    size_t length = cfilenames_decode(path, count, bytes);
    bytes[length] = '\0';
    int result = walk(place, bytes, length);
    if (result != 0) leave_place(place);
    int failure = errno;
    free(bytes);
    errno = failure;
    return result;
}

void leave_place(struct place *place)
{
    if (place->opened < 0) return;
    int failure = errno;
    close(place->opened);
    place->opened = -1;
    errno = failure;
}
