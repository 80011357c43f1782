#define _GNU_SOURCE
#include "CPosix.h"

#include <ctype.h>
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

/* The mark of a backend is its limit of file locks (RLIMIT_LOCKS), which Linux has ignored since
   2.4: children inherit it whatever else they change, no process may raise it, a filter of system
   calls keeps it from being lowered, and one call reads it. */

static int bears(pid_t process, uint64_t mark)
{
    struct rlimit limit;
    return prlimit(process, RLIMIT_LOCKS, NULL, &limit) == 0 && limit.rlim_max == mark;
}

/* Returns 1 for a process that has ended, but was not reaped by its parent (proc(5), the third
 * field of stat). */
static int has_ended(pid_t process)
{
    char path[32], text[512];
    snprintf(path, sizeof path, "/proc/%d/stat", process);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 1;
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    if (count <= 0) return 1;
    text[count] = 0;
    const char *name = strrchr(text, ')');
    return name && name[1] && (name[2] == 'Z' || name[2] == 'X');
}

/* Returns 1 if the process had the mark and was sent SIGKILL. */
static int killed(pid_t process, uint64_t mark)
{
    if (process == getpid() || !bears(process, mark) || has_ended(process)) return 0;
    /* The mark is checked again through a handle, since the number may now belong to another
       process. */
    int handle = (int)syscall(SYS_pidfd_open, process, 0);
    if (handle < 0) return 0;
    int result =
        bears(process, mark) && syscall(SYS_pidfd_send_signal, handle, SIGKILL, NULL, 0) == 0;
    close(handle);
    return result;
}

/* Kills the marked processes that exist now, and returns their number. */
static int kill_once(uint64_t mark)
{
    DIR *folder = opendir("/proc");
    if (!folder) return 0;
    int count = 0;
    for (struct dirent *entry; (entry = readdir(folder));)
        if (isdigit((unsigned char)entry->d_name[0]))
            count += killed((pid_t)atoi(entry->d_name), mark);
    closedir(folder);
    return count;
}

/* Returns the process number that the system assigned last; 0 if it can't be read (proc(5), the
 * last field of loadavg). */
static pid_t newest(void)
{
    char text[128];
    int file = open("/proc/loadavg", O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t count = read(file, text, sizeof text - 1);
    close(file);
    if (count <= 0) return 0;
    text[count] = 0;
    const char *last = strrchr(text, ' ');
    return last ? (pid_t)atoi(last) : 0;
}

/* Kills processes that fork and exit faster than all of /proc can be read: each is a child of the
 * last, with a slightly higher number. */
static int chase(uint64_t mark)
{
    enum { around = 8, patience = 50 };
    int count = 0;
    for (int quiet = 0; quiet < patience; quiet++) {
        pid_t last = newest();
        for (pid_t process = last - around; last > around && process <= last + around; process++) {
            if (!killed(process, mark)) continue;
            count++;
            quiet = 0;
        }
    }
    return count;
}

void cposix_kill_marked(uint64_t mark)
{
    struct timespec now, begin;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    /* The loop repeats until no process is left, since one may have forked in the meantime. It
     * has a limit, since a process that waits for a disk ends late. */
    do {
        int count = kill_once(mark);
        if (chase(mark) + count == 0) return;
        clock_gettime(CLOCK_MONOTONIC, &now);
    } while (now.tv_sec - begin.tv_sec < 10);
}
