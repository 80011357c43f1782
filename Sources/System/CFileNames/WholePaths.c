#include "Decode.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>

/* These calls exist in the kernel for whole paths only; a path longer than the kernel's limit
 * fails.
 */
static const char *whole(struct place *at, const char *path)
{
    if (find_place(at, AT_FDCWD, path) != 0) return NULL;
    if (at->opened < 0) return at->name;
    leave_place(at);
    errno = ENAMETOOLONG;
    return NULL;
}

int inotify_add_watch(int watch, const char *path, uint32_t mask)
{
    struct place at;
    int (*next)(int, const char *, uint32_t) =
        (int (*)(int, const char *, uint32_t))dlsym(RTLD_NEXT, "inotify_add_watch");
    const char *name = whole(&at, path);
    return name ? next(watch, name, mask) : -1;
}

char *realpath(const char *restrict path, char *restrict resolved)
{
    struct place at;
    char *(*next)(const char *, char *) =
        (char *(*)(const char *, char *))dlsym(RTLD_NEXT, "realpath");
    const char *name = whole(&at, path);
    return name ? next(name, resolved) : NULL;
}

/* The template is changed in place, although its text may be longer than its bytes: only its last
six letters change. */
char *mkdtemp(char *template)
{
    struct place at;
    char *(*next)(char *) = (char *(*)(char *))dlsym(RTLD_NEXT, "mkdtemp");
    const char *name = whole(&at, template);
    if (name == NULL || name == template) return name ? next(template) : NULL;
    if (next(at.bytes) == NULL) return NULL;
    memcpy(template + strlen(template) - 6, at.bytes + strlen(at.bytes) - 6, 6);
    return template;
}
