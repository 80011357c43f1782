#pragma once
#include <execinfo.h>
#include <linux/netlink.h>
#include <sane/sane.h>
#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* fork(2), which Swift hides: only for a process with a single thread. */
static inline pid_t csane_fork(void) { return fork(); }

/* prctl(2) PR_SET_PDEATHSIG: the calling process is killed when the thread that forked it ends. */
static inline int csane_die_with_parent(void) { return prctl(PR_SET_PDEATHSIG, SIGKILL, 0, 0, 0); }

/* A socket for messages about devices from the kernel (group 1) and udev (group 2), close-on-exec;
 * -1 and errno on failure. */
static inline int csane_device_events(void)
{
    int descriptor = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_KOBJECT_UEVENT);
    if (descriptor < 0) return -1;
    struct sockaddr_nl address;
    memset(&address, 0, sizeof address);
    address.nl_family = AF_NETLINK;
    address.nl_groups = 1 | 2;
    if (bind(descriptor, (struct sockaddr *)&address, sizeof address) == 0) return descriptor;
    close(descriptor);
    return -1;
}

/* Loads the unwinder now, since pthread_exit in a thread would load it otherwise (glibc's
 * __libc_unwind_link_get); backtrace(3) documents this. */
static inline void csane_load_unwinder(void)
{
    void *frame;
    backtrace(&frame, 1);
}
