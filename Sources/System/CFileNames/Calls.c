#include "Decode.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <unistd.h>

/* The C library's own function of a name. */
#define NEXT(name)                                                                                 \
    ({                                                                                             \
        static __typeof__(&name) found;                                                            \
        __typeof__(&name) next = __atomic_load_n(&found, __ATOMIC_RELAXED);                        \
        if (next == NULL) {                                                                        \
            next = (__typeof__(&name))dlsym(RTLD_NEXT, #name);                                     \
            __atomic_store_n(&found, next, __ATOMIC_RELAXED);                                      \
        }                                                                                          \
        next;                                                                                      \
    })

/* Returns the result of `call`, which uses `at`, the place of `path` relative to `directory`. */
#define CALL(directory, path, call)                                                                \
    struct place at;                                                                               \
    if (find_place(&at, directory, path) != 0) return -1;                                          \
    __typeof__(call) result = call;                                                                \
    leave_place(&at);                                                                              \
    return result

/* The same for two paths. */
#define CALL2(directory, path, other_directory, other, call)                                       \
    struct place at, to;                                                                           \
    if (find_place(&at, directory, path) != 0) return -1;                                          \
    if (find_place(&to, other_directory, other) != 0) {                                            \
        leave_place(&at);                                                                          \
        return -1;                                                                                 \
    }                                                                                              \
    int result = call;                                                                             \
    leave_place(&at);                                                                              \
    leave_place(&to);                                                                              \
    return result

static int open_at(int folder, const char *path, int flags, mode_t mode)
{ CALL(folder, path, NEXT(openat64)(at.folder, at.name, flags, mode)); }

#define MODE(flags)                                                                                \
    mode_t mode = 0;                                                                               \
    if (((flags) & O_CREAT) || ((flags) & O_TMPFILE) == O_TMPFILE) {                               \
        va_list rest;                                                                              \
        va_start(rest, flags);                                                                     \
        mode = va_arg(rest, mode_t);                                                               \
        va_end(rest);                                                                              \
    }

int open(const char *path, int flags, ...)
{
    MODE(flags)
    return open_at(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    MODE(flags)
    return open_at(AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...)
{
    MODE(flags)
    return open_at(folder, path, flags, mode);
}

int openat64(int folder, const char *path, int flags, ...)
{
    MODE(flags)
    return open_at(folder, path, flags, mode);
}

int creat(const char *path, mode_t mode)
{ return open_at(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

static int stat_at(int folder, const char *path, struct stat *about, int flags)
{ CALL(folder, path, NEXT(fstatat)(at.folder, at.name, about, flags)); }

int stat(const char *restrict path, struct stat *restrict about)
{ return stat_at(AT_FDCWD, path, about, 0); }

int lstat(const char *restrict path, struct stat *restrict about)
{ return stat_at(AT_FDCWD, path, about, AT_SYMLINK_NOFOLLOW); }

int fstatat(int folder, const char *restrict path, struct stat *restrict about, int flags)
{ return stat_at(folder, path, about, flags); }

/* On 64-bit machines the two structures are the same. */
_Static_assert(sizeof(struct stat) == sizeof(struct stat64), "a machine of 64 bits");

int stat64(const char *restrict path, struct stat64 *restrict about)
{ return stat_at(AT_FDCWD, path, (struct stat *)about, 0); }

int lstat64(const char *restrict path, struct stat64 *restrict about)
{ return stat_at(AT_FDCWD, path, (struct stat *)about, AT_SYMLINK_NOFOLLOW); }

int fstatat64(int folder, const char *restrict path, struct stat64 *restrict about, int flags)
{ return stat_at(folder, path, (struct stat *)about, flags); }

int statx(
    int folder, const char *restrict path, int flags, unsigned mask, struct statx *restrict about)
{ CALL(folder, path, NEXT(statx)(at.folder, at.name, flags, mask, about)); }

int faccessat(int folder, const char *path, int mode, int flags)
{ CALL(folder, path, NEXT(faccessat)(at.folder, at.name, mode, flags)); }

int access(const char *path, int mode) { return faccessat(AT_FDCWD, path, mode, 0); }

int renameat2(int folder, const char *path, int other, const char *name, unsigned flags)
{
    CALL2(
        folder, path, other, name, NEXT(renameat2)(at.folder, at.name, to.folder, to.name, flags));
}

int renameat(int folder, const char *path, int other, const char *name)
{ CALL2(folder, path, other, name, NEXT(renameat)(at.folder, at.name, to.folder, to.name)); }

int rename(const char *path, const char *name) { return renameat(AT_FDCWD, path, AT_FDCWD, name); }

int linkat(int folder, const char *path, int other, const char *name, int flags)
{ CALL2(folder, path, other, name, NEXT(linkat)(at.folder, at.name, to.folder, to.name, flags)); }

int link(const char *path, const char *name) { return linkat(AT_FDCWD, path, AT_FDCWD, name, 0); }

int symlinkat(const char *target, int folder, const char *path)
{ CALL2(AT_FDCWD, target, folder, path, NEXT(symlinkat)(at.name, to.folder, to.name)); }

int symlink(const char *target, const char *path) { return symlinkat(target, AT_FDCWD, path); }

int unlinkat(int folder, const char *path, int flags)
{ CALL(folder, path, NEXT(unlinkat)(at.folder, at.name, flags)); }

int unlink(const char *path) { return unlinkat(AT_FDCWD, path, 0); }

int rmdir(const char *path) { return unlinkat(AT_FDCWD, path, AT_REMOVEDIR); }

int remove(const char *path)
{
    int result = unlink(path);
    return result != 0 && (errno == EISDIR || errno == EPERM) ? rmdir(path) : result;
}

int mkdirat(int folder, const char *path, mode_t mode)
{ CALL(folder, path, NEXT(mkdirat)(at.folder, at.name, mode)); }

int mkdir(const char *path, mode_t mode) { return mkdirat(AT_FDCWD, path, mode); }

int mkfifo(const char *path, mode_t mode)
{ CALL(AT_FDCWD, path, NEXT(mkfifoat)(at.folder, at.name, mode)); }

int fchmodat(int folder, const char *path, mode_t mode, int flags)
{ CALL(folder, path, NEXT(fchmodat)(at.folder, at.name, mode, flags)); }

int chmod(const char *path, mode_t mode) { return fchmodat(AT_FDCWD, path, mode, 0); }

int fchownat(int folder, const char *path, uid_t user, gid_t group, int flags)
{ CALL(folder, path, NEXT(fchownat)(at.folder, at.name, user, group, flags)); }

int chown(const char *path, uid_t user, gid_t group)
{ return fchownat(AT_FDCWD, path, user, group, 0); }

int lchown(const char *path, uid_t user, gid_t group)
{ return fchownat(AT_FDCWD, path, user, group, AT_SYMLINK_NOFOLLOW); }

int utimensat(int folder, const char *path, const struct timespec times[2], int flags)
{ CALL(folder, path, NEXT(utimensat)(at.folder, at.name, times, flags)); }

ssize_t readlinkat(int folder, const char *restrict path, char *restrict target, size_t size)
{ CALL(folder, path, NEXT(readlinkat)(at.folder, at.name, target, size)); }

ssize_t readlink(const char *restrict path, char *restrict target, size_t size)
{ return readlinkat(AT_FDCWD, path, target, size); }

int chdir(const char *path)
{
    int folder = open_at(AT_FDCWD, path, O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
    if (folder < 0) return -1;
    int result = fchdir(folder), failure = errno;
    close(folder);
    errno = failure;
    return result;
}

DIR *opendir(const char *path)
{
    int folder = open_at(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NONBLOCK, 0);
    DIR *stream = folder < 0 ? NULL : fdopendir(folder);
    if (folder >= 0 && stream == NULL) close(folder);
    return stream;
}

int statvfs(const char *restrict path, struct statvfs *restrict about)
{
    int file = open_at(AT_FDCWD, path, O_PATH | O_CLOEXEC, 0);
    if (file < 0) return -1;
    int result = fstatvfs(file, about), failure = errno;
    close(file);
    errno = failure;
    return result;
}

int statvfs64(const char *restrict path, struct statvfs64 *restrict about)
{ return statvfs(path, (struct statvfs *)about); }

int truncate(const char *path, off_t size)
{
    int file = open_at(AT_FDCWD, path, O_WRONLY | O_CLOEXEC, 0);
    if (file < 0) return -1;
    int result = ftruncate(file, size), failure = errno;
    close(file);
    errno = failure;
    return result;
}
