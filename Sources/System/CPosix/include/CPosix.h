#pragma once
#include <spawn.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* Macros, variadic functions and GNU extensions of POSIX and Linux that Swift can't call directly.
   Each returns what the wrapped call returns: -1 and errno on failure, unless noted otherwise.
 */

/* sendmsg(2) with one descriptor as SCM_RIGHTS; never raises SIGPIPE. `count` is at least 1. */
ssize_t cposix_send_descriptor(int socket, const void *bytes, size_t count, int descriptor);

/* recvmsg(2). Received descriptors are stored in `descriptors` (close-on-exec), their number in
   `*received`; those beyond `capacity` are closed. */
ssize_t cposix_receive(
    int socket, void *bytes, size_t count, int *descriptors, int capacity, int *received);

/* memfd_create(2), close-on-exec, sealable. */
int cposix_memory_file(const char *name);

/* fcntl(2) F_ADD_SEALS: the file's size can no longer change. */
int cposix_seal_size(int descriptor);

/* renameat2(2) with RENAME_NOREPLACE: EEXIST if `to` exists. Uses link and unlink if the file
 * system does not support it. */
int cposix_rename_new(const char *from, const char *to);

/* renameat2(2) with RENAME_EXCHANGE: the two names, both within `folder`, exchange their files
 * in one step. */
int cposix_exchange(int folder, const char *one, const char *other);

/* flistxattr(2), fgetxattr(2): 1 when two open files have the same extended attributes with the
   same values, including access lists and security labels, or their file systems have none; else
   0. */
int cposix_same_attributes(int one, int other);

/* getxattr(2): 1 when a file has a POSIX access list in addition to its mode, so that its group
 * bits do not only describe the rights of its group. */
int cposix_has_access_list(const char *path);

/* fallocate(2) from 0 to `size`; falls back to ftruncate(2) where the file system cannot reserve
 * space. */
int cposix_reserve(int descriptor, off_t size);

/* sync_file_range(2) with SYNC_FILE_RANGE_WRITE: begins to write these bytes to the disk, and does
 * not wait. */
int cposix_begin_writing(int descriptor, off_t offset, off_t count);

/* fcntl(2) F_OFD_SETLK: locks the file for this open file only; fails immediately with EAGAIN if
   another one has locked it. */
int cposix_lock(int descriptor);
int cposix_unlock(int descriptor);

/* fcntl(2) F_OFD_GETLK: 1 when another open file has the file locked, else 0. */
int cposix_is_locked(int descriptor);

/* pipe2(2), close-on-exec. */
int cposix_pipe(int ends[2]);

/* fcntl(2) F_SETPIPE_SZ: the pipe holds `size` bytes; fails if it is not a pipe, or if so many are
 * not allowed. */
int cposix_widen_pipe(int descriptor, int size);

/* The resources and rights of a backend's process. */
struct cposix_confinement {
    uint64_t memory;      /* bytes of private memory (RLIMIT_DATA); 0 for no limit */
    uint64_t file_size;   /* bytes of a file that it writes (RLIMIT_FSIZE) */
    uint64_t open_files;  /* descriptors (RLIMIT_NOFILE) */
    int is_read_only;     /* it can change no file and reach no process */
    int has_no_network;   /* it can make no socket */
    int has_landlock;     /* the kernel offers Landlock */
    int filters_calls;    /* the kernel filters system calls */
    int tries_namespaces; /* it gets namespaces of its own when it is read-only and the kernel
                             grants them */
};

/* The started process. */
struct cposix_backend {
    pid_t process; /* the program */
    pid_t first;   /* the first process of its namespaces; 0 where it has none */
    uint64_t mark; /* the mark of it and of all that it starts */
};

/* vfork(2) and execve(2) of `program` without arguments, with `variables` as its environment, in
   a session of its own, all signals at their defaults: standard input is /dev/null, standard
   output and error are `output`, descriptor 3 is `socket`, all others are closed. It gets no new
   privileges, writes no core files, and has only the rights in `confinement`. When the calling
   *thread* ends, the backend gets SIGHUP, or SIGKILL if it is read-only, so that thread must
   live as long as the backend. If neither namespaces nor Landlock confine a read-only backend,
   no process can trace the host from then on. Both descriptors must be above 9. Returns 0, or an
   error number, with the failed call in `*failed`. */
int cposix_spawn_backend(const char *program, char *const variables[], int socket, int output,
    const struct cposix_confinement *confinement, struct cposix_backend *backend,
    const char **failed);

/* Ends all processes that a backend has started with SIGKILL, in any group or session and with
 * any parent.
 */
void cposix_end_descendants(const struct cposix_backend *backend);

/* Reaps the first process of a backend's namespaces, after the backend itself was reaped. Then
 * none of its processes remains. */
void cposix_reap_first(const struct cposix_backend *backend);

/* Finds out whether this process may make the namespaces of a sandbox: 0, or an error number. */
int cposix_try_namespaces(void);

/* Ends every process that has the mark with SIGKILL, in any group or session and with any
 * parent. */
void cposix_kill_marked(uint64_t mark);

/* The peak memory, in bytes, of a child that has ended and is not reaped; 0 if it is no more than
   `ours`, which was counted before the child began. */
uint64_t cposix_peak_memory(pid_t process, uint64_t ours);

/* The maximum memory, in bytes, that this process held at once (getrusage(2)). */
uint64_t cposix_own_peak_memory(void);

/* The version of Landlock that the kernel offers; 0 where it has none, or it is switched off. */
int cposix_landlock_version(void);

/* 1 when the kernel filters system calls (seccomp), on a processor whose calls the filter of this
 * library knows. */
int cposix_can_filter_calls(void);

/* posix_spawn(3) of `arguments[0]`, a path, in a process group of its own, all signals at their
   defaults: standard input is /dev/null, standard output and error are the two descriptors,
   which must be above 2; all others are closed. Both lists end with NULL. Returns 0 or an error
   number.
 */
int cposix_spawn_program(
    char *const arguments[], char *const variables[], int output, int errors, pid_t *process);

/* Closes all descriptors from `from` on in the new process. Part of glibc since 2.34; spawn.h
   declares it only with _GNU_SOURCE, which Swift's importer does not set. */
int posix_spawn_file_actions_addclosefrom_np(posix_spawn_file_actions_t *actions, int from);

/* Sets the folder in which the new process begins. Part of glibc since 2.29. */
int posix_spawn_file_actions_addchdir_np(posix_spawn_file_actions_t *actions, const char *path);

/* Waits for a child to end without reaping it: 0, or -1. */
int cposix_await_exit(pid_t process);

/* Waits for a child to end without reaping it: 1, 0 after the given milliseconds, or -1. If the
   kernel has no pidfd_open(2), it may return earlier. */
int cposix_await_exit_for(pid_t process, int milliseconds);

/* Reaps a child that has ended. Stores its exit status, or -1, and the signal that ended it, or 0.
 */
int cposix_reap(pid_t process, int *status, int *signal);

/* 1 when the descriptor is open and a socket. */
int cposix_is_socket(int descriptor);

/* mallopt(3): blocks of `size` bytes and more come straight from the kernel and go back to it when
 * freed. */
void cposix_map_blocks_from(size_t size);

/* mallopt(3): freed blocks of less than a gigabyte are kept for the next ones until
 * cposix_give_back_memory. */
void cposix_keep_freed_memory(void);

/* malloc_trim(3): freed memory goes back to the kernel. */
void cposix_give_back_memory(void);

/* Names the calling thread, at most 15 characters (pthread_setname_np). */
void cposix_name_thread(const char *name);

/* 1 when the calling thread is the process's first. */
int cposix_is_main_thread(void);

/* setrlimit(2) RLIMIT_CORE and /proc/self/coredump_filter: no memory of this process, or of what it
 * starts, gets into a core dump. */
int cposix_forbid_core_dumps(void);
