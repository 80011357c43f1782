#define _GNU_SOURCE
#include "CPosix.h"
#include "CallFilter.h"
#include "Sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* The calls that a program needs to read files, to use open connections, and to have memory,
   threads and time. Each call in doubt was examined for what it could change for others: a file,
   a process, memory that no limit counts. */
#ifdef NATIVE_CALLS
static const int reading[] = {
    SYS_read,
    SYS_pread64,
    SYS_readv,
    SYS_preadv,
    SYS_preadv2,
    SYS_write,
    SYS_pwrite64,
    SYS_writev,
    SYS_pwritev,
    SYS_pwritev2,
    SYS_close,
    SYS_close_range,
    SYS_lseek,
    SYS_dup,
    SYS_dup3,
    SYS_fstat,
    SYS_newfstatat,
    SYS_statx,
    SYS_statfs,
    SYS_fstatfs,
    SYS_faccessat,
    SYS_faccessat2,
    SYS_readlinkat,
    SYS_getdents64,
    SYS_getcwd,
    SYS_chdir,
    SYS_fchdir,
    SYS_umask,
    SYS_getxattr,
    SYS_lgetxattr,
    SYS_fgetxattr,
    SYS_listxattr,
    SYS_llistxattr,
    SYS_flistxattr,
    SYS_fsync,
    SYS_fdatasync,
    SYS_sync_file_range,
    SYS_fadvise64,
    SYS_readahead,
    SYS_sendfile,
    SYS_munmap,
    SYS_mremap,
    SYS_mprotect,
    SYS_madvise,
    SYS_msync,
    SYS_mincore,
    SYS_brk,
    SYS_membarrier,
    SYS_get_mempolicy,
    SYS_futex,
    SYS_set_robust_list,
    SYS_set_tid_address,
    SYS_rseq,
    SYS_execve,
    SYS_exit,
    SYS_exit_group,
    SYS_restart_syscall,
    SYS_sched_yield,
    SYS_sched_getaffinity,
    SYS_sched_getparam,
    SYS_sched_getscheduler,
    SYS_sched_get_priority_min,
    SYS_sched_get_priority_max,
    SYS_getpriority,
    SYS_getcpu,
    SYS_rt_sigaction,
    SYS_rt_sigprocmask,
    SYS_rt_sigreturn,
    SYS_rt_sigpending,
    SYS_rt_sigsuspend,
    SYS_rt_sigtimedwait,
    SYS_sigaltstack,
    SYS_getrlimit,
    SYS_getrusage,
    SYS_times,
    SYS_sysinfo,
    SYS_uname,
    SYS_getpid,
    SYS_getppid,
    SYS_gettid,
    SYS_getpgid,
    SYS_getsid,
    SYS_getuid,
    SYS_geteuid,
    SYS_getgid,
    SYS_getegid,
    SYS_getresuid,
    SYS_getresgid,
    SYS_getgroups,
    SYS_capget,
    SYS_wait4,
    SYS_waitid,
    SYS_clock_gettime,
    SYS_clock_getres,
    SYS_clock_nanosleep,
    SYS_nanosleep,
    SYS_gettimeofday,
    SYS_getitimer,
    SYS_setitimer,
    SYS_getrandom,
    SYS_ppoll,
    SYS_pselect6,
    SYS_epoll_create1,
    SYS_epoll_ctl,
    SYS_epoll_pwait,
    SYS_epoll_pwait2,
    SYS_eventfd2,
    SYS_timerfd_create,
    SYS_timerfd_settime,
    SYS_timerfd_gettime,
    SYS_signalfd4,
    SYS_pipe2,
    SYS_sendto,
    SYS_sendmsg,
    SYS_recvfrom,
    SYS_recvmsg,
    SYS_shutdown,
    SYS_getsockopt,
    SYS_getsockname,
    SYS_getpeername,
#ifdef __x86_64__
    SYS_stat,
    SYS_lstat,
    SYS_access,
    SYS_readlink,
    SYS_getdents,
    SYS_dup2,
    SYS_poll,
    SYS_select,
    SYS_epoll_create,
    SYS_epoll_wait,
    SYS_eventfd,
    SYS_signalfd,
    SYS_pipe,
    SYS_pause,
    SYS_alarm,
    SYS_time,
    SYS_getpgrp,
    SYS_arch_prctl,
#endif
};

/* Further calls for a backend that may change its own file system and start programs. */
static const int changing[] = {
    SYS_openat,
    SYS_openat2,
    SYS_fcntl,
    SYS_ioctl,
    SYS_flock,
    SYS_truncate,
    SYS_ftruncate,
    SYS_fallocate,
    SYS_copy_file_range,
    SYS_splice,
    SYS_tee,
    SYS_vmsplice,
    SYS_sync,
    SYS_syncfs,
    SYS_mkdirat,
    SYS_mknodat,
    SYS_linkat,
    SYS_symlinkat,
    SYS_unlinkat,
    SYS_renameat2,
    SYS_fchmod,
    SYS_fchmodat,
    452 /* fchmodat2 */,
    SYS_fchown,
    SYS_fchownat,
    SYS_utimensat,
    SYS_setxattr,
    SYS_lsetxattr,
    SYS_fsetxattr,
    SYS_removexattr,
    SYS_lremovexattr,
    SYS_fremovexattr,
    SYS_inotify_init1,
    SYS_inotify_add_watch,
    SYS_inotify_rm_watch,
    SYS_mmap,
    SYS_mlock,
    SYS_mlock2,
    SYS_munlock,
    SYS_mlockall,
    SYS_munlockall,
    SYS_memfd_create,
    SYS_shmget,
    SYS_shmat,
    SYS_shmdt,
    SYS_shmctl,
    SYS_semget,
    SYS_semop,
    SYS_semctl,
    SYS_semtimedop,
    SYS_msgget,
    SYS_msgsnd,
    SYS_msgrcv,
    SYS_msgctl,
    SYS_mq_open,
    SYS_mq_unlink,
    SYS_mq_timedsend,
    SYS_mq_timedreceive,
    SYS_mq_notify,
    SYS_mq_getsetattr,
    SYS_clone3,
    SYS_execveat,
    SYS_setsid,
    SYS_setpgid,
    SYS_kill,
    SYS_tkill,
    SYS_tgkill,
    SYS_rt_sigqueueinfo,
    SYS_rt_tgsigqueueinfo,
    SYS_pidfd_open,
    SYS_pidfd_send_signal,
    SYS_prctl,
    SYS_setpriority,
    SYS_ioprio_get,
    SYS_ioprio_set,
    SYS_sched_setaffinity,
    SYS_sched_setscheduler,
    SYS_sched_setparam,
    SYS_sched_getattr,
    SYS_sched_setattr,
    SYS_sched_rr_get_interval,
    SYS_timer_create,
    SYS_timer_settime,
    SYS_timer_gettime,
    SYS_timer_getoverrun,
    SYS_timer_delete,
    SYS_clone,
    SYS_setuid,
    SYS_setgid,
    SYS_setreuid,
    SYS_setregid,
    SYS_setresuid,
    SYS_setresgid,
    SYS_setgroups,
    SYS_setrlimit,
    SYS_prlimit64,
    SYS_landlock_create_ruleset,
    SYS_landlock_add_rule,
    SYS_landlock_restrict_self,
    SYS_seccomp,
    SYS_setsockopt,
    SYS_get_robust_list,
    SYS_futex_waitv,
    SYS_set_mempolicy,
    SYS_mbind,
#ifdef __x86_64__
    SYS_open,
    SYS_creat,
    SYS_mkdir,
    SYS_rmdir,
    SYS_mknod,
    SYS_link,
    SYS_symlink,
    SYS_unlink,
    SYS_rename,
    SYS_renameat,
    SYS_chmod,
    SYS_chown,
    SYS_lchown,
    SYS_utime,
    SYS_utimes,
    SYS_futimesat,
    SYS_inotify_init,
    SYS_fork,
    SYS_vfork,
#endif
};

static const int networking[] = {
    SYS_socket,
    SYS_socketpair,
    SYS_connect,
    SYS_bind,
    SYS_listen,
    SYS_accept,
    SYS_accept4,
    SYS_setsockopt,
    SYS_sendmmsg,
    SYS_recvmmsg,
};

#define COUNT(list) (sizeof(list) / sizeof *(list))
#define ALLOW_IF(number, ...)                                                                      \
    do {                                                                                           \
        const struct call_rule rules[] = {__VA_ARGS__};                                            \
        call_filter_answer_if(filter, number, rules, COUNT(rules), SECCOMP_RET_ALLOW);             \
    } while (0)
#define IS(position, bits, ...)                                                                    \
    {.argument = position,                                                                         \
        .mask = bits,                                                                              \
        .values = {__VA_ARGS__},                                                                   \
        .count = COUNT(((unsigned[]){__VA_ARGS__}))}
#define IS_NULL(position)                                                                          \
    IS(position, ~0U, 0),                                                                          \
        {.argument = position, .is_upper = 1, .mask = ~0U, .values = {0}, .count = 1}

/* Calls that are dangerous by their arguments. Without Landlock, files may only be opened for
 * reading. */
static void allow_harmless(struct call_filter *filter, int has_landlock)
{
    unsigned self = (unsigned)getpid();
    ALLOW_IF(SYS_kill, IS(0, ~0U, self));
    ALLOW_IF(SYS_tgkill, IS(0, ~0U, self));
    ALLOW_IF(SYS_prlimit64, IS(0, ~0U, 0, self), IS_NULL(2));
    /* Threads of this process with its descriptors are allowed, but no processes, whose memory
     * would be counted separately. */
    const unsigned shared = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | CLONE_THREAD;
    const unsigned harmless = CLONE_SYSVSEM | CLONE_SETTLS | CLONE_PARENT_SETTID |
                              CLONE_CHILD_CLEARTID | CLONE_CHILD_SETTID | CLONE_DETACHED;
    ALLOW_IF(SYS_clone, IS(0, ~harmless, shared));
    /* Anonymous shared memory, memory that grows automatically, and large pages are refused,
     * because no limit counts them. */
    ALLOW_IF(SYS_mmap, IS(3, MAP_SHARED | MAP_ANONYMOUS | MAP_GROWSDOWN | MAP_HUGETLB, 0,
                           MAP_SHARED, MAP_ANONYMOUS));
    const unsigned ways = O_ACCMODE | O_TRUNC;
    if (has_landlock) {
        /* Older versions of Landlock do not treat truncating as writing. */
        ALLOW_IF(SYS_openat,
            IS(2, ways, O_RDONLY, O_WRONLY, O_RDWR, O_WRONLY | O_TRUNC, O_RDWR | O_TRUNC));
    } else {
        ALLOW_IF(SYS_openat, IS(2, ways | O_CREAT, O_RDONLY));
    }
#ifdef SYS_open
    if (has_landlock) {
        ALLOW_IF(SYS_open,
            IS(1, ways, O_RDONLY, O_WRONLY, O_RDWR, O_WRONLY | O_TRUNC, O_RDWR | O_TRUNC));
    } else {
        ALLOW_IF(SYS_open, IS(1, ways | O_CREAT, O_RDONLY));
    }
#endif
    /* Locks, leases, notifications, signals and changes of a shared file's write mode are
       refused. */
    ALLOW_IF(SYS_fcntl,
        IS(1, ~0U, F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD, F_SETFD, F_GETFL, F_GETPIPE_SZ, F_GET_SEALS));
    ALLOW_IF(SYS_fcntl, IS(1, ~0U, F_SETFL), IS(2, O_APPEND | O_ASYNC | O_DIRECT | O_NOATIME, 0));
    ALLOW_IF(
        SYS_ioctl, IS(1, ~0U, TCGETS, TIOCGWINSZ, FIONREAD, TIOCOUTQ, FIONBIO, FIOCLEX, FIONCLEX));
    /* PR_SET_VMA: newer C libraries name memory with it. */
    const unsigned name_memory = 0x53564d41;
    ALLOW_IF(SYS_prctl,
        IS(0, ~0U, PR_SET_NAME, PR_GET_NAME, PR_GET_PDEATHSIG, PR_GET_DUMPABLE, PR_SET_NO_NEW_PRIVS,
            PR_GET_NO_NEW_PRIVS, PR_GET_SECCOMP, PR_CAPBSET_READ, PR_GET_TIMERSLACK, name_memory));
    ALLOW_IF(SYS_setsockopt, IS(1, ~0U, SOL_SOCKET), IS(2, ~0U, SO_RCVTIMEO, SO_SNDTIMEO));
}

static size_t append(int *numbers, size_t count, const int *list, size_t length)
{
    for (size_t index = 0; index < length; index++) numbers[count++] = list[index];
    return count;
}

#endif

int sandbox_filter_calls(const struct cposix_confinement *confinement)
{
#ifdef NATIVE_CALLS
    struct call_filter filter = {.count = 0};
    int numbers[COUNT(reading) + COUNT(changing) + COUNT(networking)];
    size_t count = append(numbers, 0, reading, COUNT(reading));
    unsigned short begin = call_filter_begin_architecture(&filter, NATIVE_CALLS);
#ifdef __x86_64__
    call_filter_answer_from(&filter, first_of_x32, call_refusal(ENOSYS));
#endif
    if (confinement->is_read_only) {
        allow_harmless(&filter, confinement->has_landlock);
    } else {
        call_filter_keep_mark(&filter, SYS_setrlimit, SYS_prlimit64);
        count = append(numbers, count, changing, COUNT(changing));
    }
    if (confinement->has_no_network) {
        call_filter_answer(&filter, SYS_socket, call_refusal(EACCES));
        /* No limit counts the memory in a pair's buffers. */
        if (!confinement->is_read_only) {
            /* A datagram socket of a pair can be connected to another process; a stream can't.
             */
            const struct call_rule pair[] = {IS(0, ~0U, AF_UNIX), IS(1, 0xf, SOCK_STREAM)};
            call_filter_answer_if(&filter, SYS_socketpair, pair, COUNT(pair), SECCOMP_RET_ALLOW);
        }
        call_filter_answer(&filter, SYS_socketpair, call_refusal(EACCES));
    } else {
        count = append(numbers, count, networking, COUNT(networking));
    }
    call_filter_allow(&filter, numbers, count);
    /* Newer calls are reported as unknown, so that the C library uses older ones. Their numbers
     * are the same on all processors. */
    call_filter_answer_from(&filter, SYS_pidfd_send_signal, call_refusal(ENOSYS));
    call_filter_end_architecture(&filter, begin, call_refusal(EPERM));
    return call_filter_apply(&filter, call_refusal(ENOSYS));
#else
    errno = ENOSYS;
    return -1;
#endif
}
