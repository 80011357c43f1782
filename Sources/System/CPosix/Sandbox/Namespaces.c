#define _GNU_SOURCE
#include "Sandbox.h"

#include "CPosix.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* mount_setattr(2), Linux 5.12. Its numbers are repeated here, since a distribution's header may be
 * older than its kernel. */
enum { call_mount_setattr = 442, whole_tree = 0x8000, read_only = 0x1, no_set_user = 0x2 };

struct mount_attributes {
    uint64_t set, clear, propagation, user_namespace;
};

int sandbox_enter_namespaces(void)
{
    const int kinds = CLONE_NEWPID | CLONE_NEWNS | CLONE_NEWIPC;
    int is_new_user = 0;
    if (unshare(kinds) != 0) {
        /* This is not for root, who could then no longer read other users' files. */
        if (geteuid() == 0 || unshare(kinds | CLONE_NEWUSER) != 0) return -1;
        is_new_user = 1;
    }
    /* Mounts made here must not be visible outside. */
    return mount(NULL, "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0 ? -1 : is_new_user;
}

int sandbox_freeze_mounts(void)
{
    struct mount_attributes attributes = {.set = read_only | no_set_user};
    return (int)syscall(
        call_mount_setattr, AT_FDCWD, "/", whole_tree, &attributes, sizeof attributes);
}

static int write_text(pid_t process, const char *name, const char *text)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", process, name);
    int file = open(path, O_WRONLY | O_CLOEXEC);
    if (file < 0) return -1;
    ssize_t count = write(file, text, strlen(text));
    int failure = errno;
    close(file);
    errno = failure;
    return count < 0 ? -1 : 0;
}

int sandbox_name_user(pid_t child, uid_t user, gid_t group)
{
    char users[32], groups[32];
    snprintf(users, sizeof users, "%u %u 1", user, user);
    snprintf(groups, sizeof groups, "%u %u 1", group, group);
    /* The kernel requires "setgroups" before "gid_map". */
    if (write_text(child, "uid_map", users) != 0 || write_text(child, "setgroups", "deny") != 0)
        return -1;
    return write_text(child, "gid_map", groups);
}

void sandbox_mount_processes(void)
{ mount("copystand", "/proc", "proc", MS_RDONLY | MS_NOSUID | MS_NODEV | MS_NOEXEC, NULL); }

int cposix_try_namespaces(void)
{
    volatile int failure = 0;
    pid_t child = vfork();
    if (child == 0) {
        if (sandbox_enter_namespaces() < 0 || sandbox_freeze_mounts() != 0) failure = errno;
        _exit(0);
    }
    if (child < 0) return errno;
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
    return failure;
}
