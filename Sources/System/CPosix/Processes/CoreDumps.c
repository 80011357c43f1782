#define _GNU_SOURCE
#include "CPosix.h"
#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

int cposix_forbid_core_dumps(void)
{
    struct rlimit none = {0, 0};
    int result = setrlimit(RLIMIT_CORE, &none);
    /* A program that receives core dumps through a pipe is started whatever the limit is, so the
     * dumps must be empty. */
    int filter = open("/proc/self/coredump_filter", O_WRONLY | O_CLOEXEC);
    if (filter < 0) return -1;
    if (write(filter, "0", 1) != 1) result = -1;
    close(filter);
    return result;
}
