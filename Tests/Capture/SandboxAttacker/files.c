#define _GNU_SOURCE
#include "attacks.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <sys/xattr.h>
#include <unistd.h>
#include <utime.h>

/* All system calls that change a file, its name, or its metadata. */

#define ATTACK(name) static long name(__attribute__((unused)) const struct target *target)
#define RAW(name, ...)                                                                             \
    ATTACK(name) { return syscall(__VA_ARGS__); }

static int reading(const struct target *target) { return open(target->file, O_RDONLY | O_CLOEXEC); }

static const char *beside(const struct target *target, const char *name)
{
    static char path[4096];
    snprintf(path, sizeof path, "%s/%s", target->folder, name);
    return path;
}

/* The action of fd_call on the victim, opened for reading. */
#define ON_VICTIM(name, call)                                                                      \
    ATTACK(name)                                                                                   \
    {                                                                                              \
        int file = reading(target);                                                                \
        long result = file < 0 ? 0 : (long)(call);                                                 \
        int failure = errno;                                                                       \
        close(file);                                                                               \
        errno = failure;                                                                           \
        return result;                                                                             \
    }

static const struct timespec long_ago[2] = {{.tv_sec = 86400}, {.tv_sec = 86400}};
static const struct timeval long_since[2] = {{.tv_sec = 86400}, {.tv_sec = 86400}};
static const struct utimbuf very_old = {86400, 86400};

struct xattr_args {
    uint64_t value;
    uint32_t size, flags;
};
static const struct xattr_args value = {.size = 0};
struct file_attr {
    uint64_t xflags;
    uint32_t extsize, nextents, projid, cowextsize;
};
static const struct file_attr no_dump = {.xflags = 0x80};

enum {
    call_fchmodat2 = 452,
    call_setxattrat = 463,
    call_removexattrat = 466,
    call_file_setattr = 469
};

RAW(mode_by_chmod, SYS_fchmodat, AT_FDCWD, target->file, 0777)
RAW(mode_by_fchmodat2, call_fchmodat2, AT_FDCWD, target->file, 0777, 0)
ON_VICTIM(mode_by_fchmod, fchmod(file, 0777))
RAW(mode_of_given, SYS_fchmod, target->given, 0777)
RAW(owner_by_fchownat, SYS_fchownat, AT_FDCWD, target->file, getuid(), getgid(), 0)
ON_VICTIM(owner_by_fchown, fchown(file, getuid(), getgid()))
RAW(owner_of_given, SYS_fchown, target->given, getuid(), getgid())
RAW(times_by_utimensat, SYS_utimensat, AT_FDCWD, target->file, long_ago, 0)
ON_VICTIM(times_by_futimens, syscall(SYS_utimensat, file, NULL, long_ago, 0))
RAW(times_of_given, SYS_utimensat, target->given, NULL, long_ago, 0)
RAW(xattr_by_setxattr, SYS_setxattr, target->file, "user.attack", "1", 1, 0)
RAW(xattr_by_lsetxattr, SYS_lsetxattr, target->file, "user.attack", "1", 1, 0)
ON_VICTIM(xattr_by_fsetxattr, fsetxattr(file, "user.attack", "1", 1, 0))
RAW(xattr_by_setxattrat, call_setxattrat, AT_FDCWD, target->file, 0, "user.attack", &value,
    sizeof value)
RAW(xattr_by_removexattr, SYS_removexattr, target->file, "user.kept")
RAW(xattr_by_lremovexattr, SYS_lremovexattr, target->file, "user.kept")
ON_VICTIM(xattr_by_fremovexattr, fremovexattr(file, "user.kept"))
RAW(xattr_by_removexattrat, call_removexattrat, AT_FDCWD, target->file, 0, "user.kept")
RAW(flags_by_file_setattr, call_file_setattr, AT_FDCWD, target->file, &no_dump, sizeof no_dump, 0)
ON_VICTIM(flags_by_ioctl, ioctl(file, _IOW('f', 2, long), &(long){0x40}))
ON_VICTIM(flags_by_fsxattr, ioctl(file, _IOW('X', 32, char[28]), &(char[28]){0x80}))
RAW(size_by_truncate, SYS_truncate, target->file, 0)
RAW(size_of_given, SYS_ftruncate, target->given, 0)
RAW(hole_in_given, SYS_fallocate, target->given, 3, 0, 4096)
RAW(content_by_open, SYS_openat, AT_FDCWD, target->file, O_WRONLY)
RAW(content_by_open_both_ways, SYS_openat, AT_FDCWD, target->file, O_RDWR)
RAW(content_by_emptying, SYS_openat, AT_FDCWD, target->file, O_RDONLY | O_TRUNC)
RAW(content_by_creating, SYS_openat, AT_FDCWD, target->file, O_WRONLY | O_CREAT | O_TRUNC, 0600)
RAW(new_file, SYS_openat, AT_FDCWD, beside(target, "new"), O_WRONLY | O_CREAT, 0600)
RAW(new_unnamed_file, SYS_openat, AT_FDCWD, target->folder, O_TMPFILE | O_RDWR, 0600)
RAW(new_file_in_memory, SYS_openat, AT_FDCWD, "/dev/shm/copystand-attack", O_RDWR | O_CREAT, 0600)
RAW(new_temporary_file, SYS_openat, AT_FDCWD, "/tmp/copystand-attack", O_RDWR | O_CREAT, 0600)
RAW(new_folder, SYS_mkdirat, AT_FDCWD, beside(target, "folder"), 0700)
RAW(new_pipe, SYS_mknodat, AT_FDCWD, beside(target, "pipe"), S_IFIFO | 0600, 0)
RAW(new_link, SYS_linkat, AT_FDCWD, target->file, AT_FDCWD, beside(target, "link"), 0)
RAW(new_symbolic_link, SYS_symlinkat, "x", AT_FDCWD, beside(target, "symbolic"))
RAW(name_by_rename, SYS_renameat2, AT_FDCWD, target->file, AT_FDCWD, beside(target, "renamed"), 0)
RAW(name_by_unlink, SYS_unlinkat, AT_FDCWD, target->file, 0)
ON_VICTIM(lock_by_flock, flock(file, LOCK_EX | LOCK_NB))
ON_VICTIM(lock_by_fcntl, fcntl(file, F_SETLK, &(struct flock){.l_type = F_RDLCK}))
ON_VICTIM(lock_of_description, fcntl(file, F_OFD_SETLK, &(struct flock){.l_type = F_RDLCK}))
ON_VICTIM(lease, fcntl(file, F_SETLEASE, F_RDLCK))
RAW(append_to_given, SYS_fcntl, target->given, F_SETFL, O_APPEND)
RAW(seal_of_given, SYS_fcntl, target->given, F_ADD_SEALS, F_SEAL_WRITE)
RAW(hint_of_given, SYS_fcntl, target->given, F_SET_RW_HINT, &(uint64_t){2})
ON_VICTIM(notice, fcntl(file, F_NOTIFY, DN_MODIFY))
ON_VICTIM(watch, (close(file), syscall(SYS_inotify_init1, 0)))
RAW(watch_of_all, SYS_fanotify_init, 0, 0)
RAW(handle, SYS_open_by_handle_at, AT_FDCWD, NULL, O_RDONLY)
RAW(copy, SYS_copy_file_range, target->given, NULL, target->given, NULL, 0, 0)
RAW(flush_of_all, SYS_sync)
RAW(quota, SYS_quotactl, 0x80000700, NULL, 0, NULL)
RAW(accounting, SYS_acct, target->file)
RAW(mount_by_mount, SYS_mount, "none", target->folder, "tmpfs", 0, NULL)
RAW(mount_writable_again, SYS_mount, NULL, "/", NULL, MS_REMOUNT | MS_BIND, NULL)
RAW(mount_gone, SYS_umount2, "/proc", MNT_DETACH)
RAW(mount_by_open_tree, 428, AT_FDCWD, "/", 1)
RAW(mount_by_fsopen, 430, "tmpfs", 0)
RAW(mount_by_setattr, 442, AT_FDCWD, "/", 0x8000, &(uint64_t[4]){0, 1, 0, 0}, 32)
RAW(other_root, SYS_chroot, "/")
RAW(other_root_by_pivot, SYS_pivot_root, "/", "/")
RAW(swap, SYS_swapon, target->file, 0)

#ifdef SYS_chmod
RAW(old_chmod, SYS_chmod, target->file, 0777)
RAW(old_chown, SYS_chown, target->file, getuid(), getgid())
RAW(old_lchown, SYS_lchown, target->file, getuid(), getgid())
RAW(old_utime, SYS_utime, target->file, &very_old)
RAW(old_utimes, SYS_utimes, target->file, long_since)
RAW(old_futimesat, SYS_futimesat, AT_FDCWD, target->file, long_since)
RAW(old_creat, SYS_creat, target->file, 0600)
RAW(old_unlink, SYS_unlink, target->file)
RAW(old_rename, SYS_rename, target->file, beside(target, "renamed"))
#endif

#define ROW(name) {#name, name, 0}
const struct attack file_attacks[] = {
    ROW(mode_by_chmod),
    ROW(mode_by_fchmodat2),
    ROW(mode_by_fchmod),
    ROW(mode_of_given),
    ROW(owner_by_fchownat),
    ROW(owner_by_fchown),
    ROW(owner_of_given),
    ROW(times_by_utimensat),
    ROW(times_by_futimens),
    ROW(times_of_given),
    ROW(xattr_by_setxattr),
    ROW(xattr_by_lsetxattr),
    ROW(xattr_by_fsetxattr),
    ROW(xattr_by_setxattrat),
    ROW(xattr_by_removexattr),
    ROW(xattr_by_lremovexattr),
    ROW(xattr_by_fremovexattr),
    ROW(xattr_by_removexattrat),
    ROW(flags_by_file_setattr),
    ROW(flags_by_ioctl),
    ROW(flags_by_fsxattr),
    ROW(size_by_truncate),
    ROW(size_of_given),
    ROW(hole_in_given),
    ROW(content_by_open),
    ROW(content_by_open_both_ways),
    ROW(content_by_emptying),
    ROW(content_by_creating),
    ROW(new_file),
    ROW(new_unnamed_file),
    ROW(new_file_in_memory),
    ROW(new_temporary_file),
    ROW(new_folder),
    ROW(new_pipe),
    ROW(new_link),
    ROW(new_symbolic_link),
    ROW(lock_by_flock),
    ROW(lock_by_fcntl),
    ROW(lock_of_description),
    ROW(lease),
    ROW(append_to_given),
    ROW(seal_of_given),
    ROW(hint_of_given),
    ROW(notice),
    ROW(watch),
    ROW(watch_of_all),
    ROW(handle),
    ROW(copy),
    ROW(flush_of_all),
    ROW(quota),
    ROW(accounting),
    ROW(mount_by_mount),
    ROW(mount_writable_again),
    ROW(mount_gone),
    ROW(mount_by_open_tree),
    ROW(mount_by_fsopen),
    ROW(mount_by_setattr),
    ROW(other_root),
    ROW(other_root_by_pivot),
    ROW(swap),
#ifdef SYS_chmod
    ROW(old_chmod),
    ROW(old_chown),
    ROW(old_lchown),
    ROW(old_utime),
    ROW(old_utimes),
    ROW(old_futimesat),
    ROW(old_creat),
    ROW(old_rename),
    ROW(old_unlink),
#endif
    ROW(name_by_rename),
    ROW(name_by_unlink),
    {NULL, NULL, 0},
};
