#define _GNU_SOURCE
#include <malloc.h>
#include "CPosix.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <stdlib.h>
#include <unistd.h>

ssize_t cposix_send_descriptor(int socket, const void *bytes, size_t count, int descriptor)
{
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } control;
    memset(&control, 0, sizeof control);
    struct iovec vector = {.iov_base = (void *)bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &vector,
        .msg_iovlen = 1,
        .msg_control = control.space,
        .msg_controllen = sizeof control.space};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(header), &descriptor, sizeof(int));
    return sendmsg(socket, &message, MSG_NOSIGNAL);
}

ssize_t cposix_receive(
    int socket, void *bytes, size_t count, int *descriptors, int capacity, int *received)
{
    enum { most = 16 };
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(most * sizeof(int))];
    } control;
    struct iovec vector = {.iov_base = bytes, .iov_len = count};
    struct msghdr message = {.msg_iov = &vector,
        .msg_iovlen = 1,
        .msg_control = control.space,
        .msg_controllen = sizeof control.space};
    *received = 0;
    ssize_t result = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    if (result < 0) return result;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header;
        header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        size_t number = (header->cmsg_len - CMSG_LEN(0)) / sizeof(int);
        for (size_t i = 0; i < number; i++) {
            int descriptor;
            memcpy(&descriptor, CMSG_DATA(header) + i * sizeof(int), sizeof(int));
            if (*received < capacity)
                descriptors[(*received)++] = descriptor;
            else
                close(descriptor);
        }
    }
    return result;
}

int cposix_memory_file(const char *name)
{ return memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING); }

int cposix_seal_size(int descriptor)
{ return fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL); }

int cposix_rename_new(const char *from, const char *to)
{
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0) return 0;
    if (errno != EINVAL && errno != ENOSYS) return -1;
    if (link(from, to) == 0) return unlink(from);
    if (errno != EPERM && errno != EOPNOTSUPP && errno != ENOSYS && errno != EMLINK) return -1;
    /* The file system has no hard links either. Only the caller creates names in these folders. */
    struct stat status;
    if (lstat(to, &status) == 0) {
        errno = EEXIST;
        return -1;
    }
    return rename(from, to);
}

int cposix_exchange(int folder, const char *one, const char *other)
{ return renameat2(folder, one, folder, other, RENAME_EXCHANGE); }

/* Returns the value of an attribute, to be freed, with its length in *count; NULL if it is too
 * large or can't be read. */
static char *attribute(int file, const char *name, ssize_t *count)
{
    enum { most = 1 << 16 };
    char *value = malloc(most);
    *count = value ? fgetxattr(file, name, value, most) : -1;
    if (*count >= 0) return value;
    free(value);
    return NULL;
}

int cposix_same_attributes(int one, int other)
{
    char names[4096], others[4096];
    ssize_t count = flistxattr(one, names, sizeof names);
    ssize_t second = flistxattr(other, others, sizeof others);
    if (count < 0 && second < 0) return errno == ENOTSUP;
    if (count != second) return 0;
    for (char *name = names; name < names + count; name += strlen(name) + 1) {
        ssize_t here, there;
        char *mine = attribute(one, name, &here);
        char *theirs = attribute(other, name, &there);
        int same = mine && theirs && here == there && memcmp(mine, theirs, (size_t)here) == 0;
        free(mine);
        free(theirs);
        if (!same) return 0;
    }
    return 1;
}

int cposix_has_access_list(const char *path)
{ return getxattr(path, "system.posix_acl_access", NULL, 0) > 0; }

int cposix_reserve(int descriptor, off_t size)
{
    int result;
    do {
        result = fallocate(descriptor, 0, 0, size);
    } while (result != 0 && errno == EINTR);
    if (result == 0 || (errno != EOPNOTSUPP && errno != ENOSYS)) return result;
    return ftruncate(descriptor, size);
}

int cposix_begin_writing(int descriptor, off_t offset, off_t count)
{ return sync_file_range(descriptor, offset, count, SYNC_FILE_RANGE_WRITE); }

/* The whole file, whatever its length. */
static int lock(int descriptor, short kind)
{
    struct flock whole = {.l_type = kind, .l_whence = SEEK_SET};
    return fcntl(descriptor, F_OFD_SETLK, &whole);
}

int cposix_lock(int descriptor) { return lock(descriptor, F_WRLCK); }

int cposix_unlock(int descriptor) { return lock(descriptor, F_UNLCK); }

int cposix_is_locked(int descriptor)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    return fcntl(descriptor, F_OFD_GETLK, &whole) == 0 && whole.l_type != F_UNLCK;
}

int cposix_pipe(int ends[2]) { return pipe2(ends, O_CLOEXEC); }

int cposix_widen_pipe(int descriptor, int size) { return fcntl(descriptor, F_SETPIPE_SZ, size); }

int cposix_spawn_program(
    char *const arguments[], char *const variables[], int output, int errors, pid_t *process)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t signals;
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure) return failure;
    failure = posix_spawnattr_init(&attributes);
    if (failure) {
        posix_spawn_file_actions_destroy(&actions);
        return failure;
    }
    failure = posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0);
    if (!failure) failure = posix_spawn_file_actions_adddup2(&actions, output, 1);
    if (!failure) failure = posix_spawn_file_actions_adddup2(&actions, errors, 2);
    if (!failure) failure = posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    if (!failure)
        failure = posix_spawnattr_setflags(
            &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
    if (!failure) failure = posix_spawnattr_setpgroup(&attributes, 0);
    sigemptyset(&signals);
    if (!failure) failure = posix_spawnattr_setsigmask(&attributes, &signals);
    sigfillset(&signals);
    if (!failure) failure = posix_spawnattr_setsigdefault(&attributes, &signals);
    if (!failure)
        failure = posix_spawn(process, arguments[0], &actions, &attributes, arguments, variables);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

int cposix_await_exit(pid_t process)
{
    siginfo_t information;
    int result;
    do {
        result = waitid(P_PID, (id_t)process, &information, WEXITED | WNOWAIT);
    } while (result != 0 && errno == EINTR);
    return result;
}

int cposix_await_exit_for(pid_t process, int milliseconds)
{
    int const file = (int)syscall(SYS_pidfd_open, process, 0);
    struct pollfd ended = {file, POLLIN, 0};
    if (file >= 0) {
        poll(&ended, 1, milliseconds);
        close(file);
    } else {
        poll(NULL, 0, milliseconds < 5 ? milliseconds : 5);
    }
    siginfo_t information = {0};
    if (waitid(P_PID, (id_t)process, &information, WEXITED | WNOWAIT | WNOHANG) != 0) return -1;
    return information.si_signo != 0;
}

int cposix_reap(pid_t process, int *status, int *signal)
{
    int word;
    pid_t result;
    *status = -1;
    *signal = 0;
    do {
        result = waitpid(process, &word, 0);
    } while (result < 0 && errno == EINTR);
    if (result < 0) return -1;
    if (WIFEXITED(word)) *status = WEXITSTATUS(word);
    if (WIFSIGNALED(word)) *signal = WTERMSIG(word);
    return 0;
}

int cposix_is_socket(int descriptor)
{
    struct stat information;
    return fstat(descriptor, &information) == 0 && S_ISSOCK(information.st_mode);
}

void cposix_name_thread(const char *name)
{
    char short_name[16];
    snprintf(short_name, sizeof short_name, "%s", name);
    pthread_setname_np(pthread_self(), short_name);
}

int cposix_is_main_thread(void) { return gettid() == getpid(); }

void cposix_map_blocks_from(size_t size) { mallopt(M_MMAP_THRESHOLD, (int)size); }

void cposix_keep_freed_memory(void)
{
    mallopt(M_MMAP_THRESHOLD, 1 << 30);
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
}

void cposix_give_back_memory(void) { malloc_trim(0); }
