#define _GNU_SOURCE
#include "CPosix.h"
#include "../Sandbox/Sandbox.h"

#include <stdio.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* Sets the soft and the hard limit, but never above this process's own limit. They can't be raised
 * again. */
static int limit(int resource, uint64_t most)
{
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0) return -1;
    if (limit.rlim_max > most) limit.rlim_max = most;
    limit.rlim_cur = limit.rlim_max;
    return setrlimit(resource, &limit);
}

/* The kernel's own memory for a process in a sandbox, in addition to the private memory. */
static int limit_rest(const struct cposix_confinement *confinement, int has_new_user)
{
    enum { most_threads = 512, most_signals = 1024 };
    /* Room for memory that is mapped but not touched, which also limits the size of page tables. */
    const uint64_t spare = 4ULL << 30;
    uint64_t memory = confinement->memory;
    if (memory > 0 && memory < UINT64_MAX / 4 && limit(RLIMIT_AS, 2 * memory + spare) != 0)
        return -1;
    if (limit(RLIMIT_MSGQUEUE, 0) != 0 || limit(RLIMIT_MEMLOCK, 0) != 0) return -1;
    if (limit(RLIMIT_SIGPENDING, most_signals) != 0) return -1;
    /* Without a user namespace, the limit would count all processes of the user. */
    return has_new_user ? limit(RLIMIT_NPROC, most_threads) : 0;
}

int backend_set_limits(
    const struct cposix_confinement *confinement, uint64_t mark, int has_new_user)
{
    if (limit(RLIMIT_CORE, 0) != 0) return -1;
    if (limit(RLIMIT_FSIZE, confinement->file_size) != 0) return -1;
    if (limit(RLIMIT_NOFILE, confinement->open_files) != 0) return -1;
    if (confinement->memory > 0 && limit(RLIMIT_DATA, confinement->memory) != 0) return -1;
    if (confinement->is_read_only && limit_rest(confinement, has_new_user) != 0) return -1;
    return limit(RLIMIT_LOCKS, mark);
}

uint64_t cposix_own_peak_memory(void)
{
    /* The value does not come from getrusage, which also counts this process before it loaded
       its program. */
    FILE *status = fopen("/proc/self/status", "re");
    if (status == NULL) return 0;
    char line[256];
    unsigned long long kilobytes = 0;
    while (fgets(line, sizeof line, status) && sscanf(line, "VmHWM: %llu", &kilobytes) != 1) {}
    fclose(status);
    return kilobytes << 10;
}

uint64_t cposix_peak_memory(pid_t process, uint64_t ours)
{
    siginfo_t information;
    struct rusage usage = {0};
    /* The wrapper of the C library leaves the last argument out. */
    if (syscall(SYS_waitid, P_PID, process, &information, WEXITED | WNOWAIT | WNOHANG, &usage) != 0)
        return 0;
    uint64_t peak = (uint64_t)usage.ru_maxrss << 10;
    return peak > ours ? peak : 0;
}
