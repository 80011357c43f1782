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
#include <unistd.h>

/* The mark of a backend is its limit of file locks (RLIMIT_LOCKS), which Linux has not looked at since 2.4: children inherit it
   whatever else they change, nobody may raise it, and one system call reads it. */

static int bears(pid_t process, uint64_t mark) {
    struct rlimit limit;
    return prlimit(process, RLIMIT_LOCKS, NULL, &limit) == 0 && limit.rlim_max == mark;
}

/* 1 for a process that has ended and waits for its parent to notice (proc(5), the third field of stat). */
static int has_ended(pid_t process) {
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

/* Kills those that are there now; how many. */
static int kill_once(uint64_t mark) {
    DIR *folder = opendir("/proc");
    if (!folder) return 0;
    int killed = 0;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (!isdigit((unsigned char)entry->d_name[0])) continue;
        pid_t process = (pid_t)atoi(entry->d_name);
        if (process == getpid() || !bears(process, mark) || has_ended(process)) continue;
        /* Looked at again through a handle, since the number may have gone to another process. */
        int handle = (int)syscall(SYS_pidfd_open, process, 0);
        if (handle < 0) continue;
        if (bears(process, mark) && syscall(SYS_pidfd_send_signal, handle, SIGKILL, NULL, 0) == 0) killed++;
        close(handle);
    }
    closedir(folder);
    return killed;
}

void cposix_kill_marked(uint64_t mark) {
    /* Again until none is left, for one may have forked meanwhile; not for ever, since a process that waits for a disk dies late. */
    for (int round = 0; round < 50 && kill_once(mark) > 0; round++) usleep(1000);
}
