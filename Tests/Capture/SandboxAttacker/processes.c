#define _GNU_SOURCE
#include "attacks.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/kcmp.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

/* All system calls that reach another process, and all ways to hide a process. */

#define ATTACK(name) static long name(__attribute__((unused)) const struct target *target)
#define RAW(name, ...)                                                                             \
    ATTACK(name) { return syscall(__VA_ARGS__); }

static const struct rlimit none = {0, 0}, few = {5, 5};
static const struct sched_param idle_priority = {0};
static siginfo_t queued = {.si_code = SI_QUEUE};
static cpu_set_t first_processor = {.__bits = {1}};
static uint32_t idle_attributes[14] = {56, SCHED_IDLE};

static long opened(const char *name, pid_t process, int flags)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/%s", process, name);
    return open(path, flags | O_CLOEXEC);
}

RAW(signal_by_kill, SYS_kill, target->bystander, SIGTERM)
RAW(signal_to_host, SYS_kill, target->host, SIGCONT)
RAW(signal_to_everybody, SYS_kill, -1, 0)
RAW(signal_to_group, SYS_kill, 0, 0)
RAW(signal_by_tkill, SYS_tkill, target->bystander, SIGTERM)
RAW(signal_by_tgkill, SYS_tgkill, target->bystander, target->bystander, SIGTERM)
RAW(signal_by_queue, SYS_rt_sigqueueinfo, target->bystander, SIGTERM, &queued)
RAW(signal_by_thread_queue, SYS_rt_tgsigqueueinfo, target->bystander, target->bystander, SIGTERM,
    &queued)
RAW(handle_of_process, SYS_pidfd_open, target->bystander, 0)
ATTACK(signal_by_folder)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d", target->bystander);
    int folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    return folder < 0 ? -1 : syscall(SYS_pidfd_send_signal, folder, SIGTERM, NULL, 0);
}
RAW(signal_by_owner, SYS_fcntl, target->given, F_SETOWN, target->bystander)
RAW(signal_of_own_choice, SYS_fcntl, target->given, F_SETSIG, SIGKILL)
RAW(signal_when_ready, SYS_fcntl, target->given, F_SETFL, O_ASYNC)
RAW(limit_of_host, SYS_prlimit64, target->host, RLIMIT_CPU, &none, NULL)
RAW(size_limit_of_bystander, SYS_prlimit64, target->bystander, RLIMIT_FSIZE, &none, NULL)
RAW(limits_of_host_read, SYS_prlimit64, target->host, RLIMIT_CPU, NULL, &(struct rlimit){0})
RAW(nice_of_host, SYS_setpriority, PRIO_PROCESS, target->host, 19)
RAW(nice_of_bystander, SYS_setpriority, PRIO_PROCESS, target->bystander, 19)
/* The user does not exist, so nothing slows down if the call is allowed. */
RAW(nice_of_user, SYS_setpriority, PRIO_USER, 54321, 19)
RAW(processors_of_host, SYS_sched_setaffinity, target->host, sizeof first_processor,
    &first_processor)
RAW(processors_of_bystander, SYS_sched_setaffinity, target->bystander, sizeof first_processor,
    &first_processor)
RAW(scheduler_of_bystander, SYS_sched_setscheduler, target->bystander, SCHED_IDLE, &idle_priority)
RAW(parameters_of_bystander, SYS_sched_setparam, target->bystander, &idle_priority)
RAW(attributes_of_bystander, SYS_sched_setattr, target->bystander, idle_attributes, 0)
RAW(disk_priority_of_bystander, SYS_ioprio_set, 1, target->bystander, 3 << 13)
RAW(pages_moved, SYS_migrate_pages, target->bystander, 8, &(long){1}, &(long){1})
RAW(single_pages_moved, SYS_move_pages, target->bystander, 0, NULL, NULL, NULL, 0)
RAW(memory_advised, 440, -1, NULL, 0, 0, 0)
RAW(memory_released, 448, -1, 0)
RAW(memory_read, SYS_process_vm_readv, target->bystander, NULL, 0, NULL, 0, 0)
RAW(memory_written, SYS_process_vm_writev, target->bystander, NULL, 0, NULL, 0, 0)
RAW(descriptor_taken, 438, -1, 0, 0)
RAW(traced, SYS_ptrace, PTRACE_SEIZE, target->bystander, NULL, NULL)
RAW(traced_by_attaching, SYS_ptrace, PTRACE_ATTACH, target->bystander, NULL, NULL)
RAW(compared, SYS_kcmp, target->bystander, target->bystander, KCMP_FILES, 0, 0)
RAW(measured, SYS_perf_event_open, &(char[128]){0}, target->bystander, -1, -1, 0)
RAW(locks_listed, SYS_get_robust_list, target->bystander, &(void *){0}, &(size_t){0})
RAW(group_of_bystander, SYS_setpgid, target->bystander, target->bystander)
RAW(memory_by_file, SYS_dup, (int)opened("mem", target->host, O_RDWR))
RAW(memory_of_host, SYS_dup, (int)opened("mem", target->host, O_RDONLY))
RAW(host_environment, SYS_dup, (int)opened("environ", target->host, O_RDONLY))
RAW(chances_of_host, SYS_dup, (int)opened("oom_score_adj", target->host, O_WRONLY))
RAW(chances_of_itself, SYS_dup, (int)opened("oom_score_adj", getpid(), O_WRONLY))
RAW(mark_taken_off, SYS_prlimit64, 0, RLIMIT_LOCKS, &few, NULL)
RAW(mark_taken_off_by_setrlimit, SYS_setrlimit, RLIMIT_LOCKS, &none)
RAW(end_with_host_taken_off, SYS_prctl, PR_SET_PDEATHSIG, 0, 0, 0, 0)
RAW(child_reaper, SYS_prctl, PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
RAW(own_session, SYS_setsid)
RAW(child, SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL)
RAW(child_by_clone3, SYS_clone3, &(uint64_t[8]){[4] = SIGCHLD}, 64)
RAW(traced_child, SYS_clone, CLONE_PTRACE | SIGCHLD, NULL, NULL, NULL, NULL)
RAW(sibling, SYS_clone, CLONE_PARENT | SIGCHLD, NULL, NULL, NULL, NULL)
RAW(own_descriptors, SYS_unshare, CLONE_FILES)
RAW(other_namespace, SYS_unshare, CLONE_NEWUSER)
RAW(namespace_of_host, SYS_setns, -1, 0)
#ifdef SYS_fork
RAW(old_fork, SYS_fork)
#endif

#define ROW(name) {#name, name, 0}
#define GONE(name, number) {#name, name, number}
const struct attack process_attacks[] = {
    ROW(signal_by_kill),
    ROW(signal_to_host),
    ROW(signal_to_everybody),
    ROW(signal_to_group),
    ROW(signal_by_tkill),
    ROW(signal_by_tgkill),
    ROW(signal_by_queue),
    ROW(signal_by_thread_queue),
    ROW(handle_of_process),
    GONE(signal_by_folder, ENOENT),
    ROW(signal_by_owner),
    ROW(signal_of_own_choice),
    ROW(signal_when_ready),
    ROW(limit_of_host),
    ROW(size_limit_of_bystander),
    ROW(limits_of_host_read),
    ROW(nice_of_host),
    ROW(nice_of_bystander),
    ROW(nice_of_user),
    ROW(processors_of_host),
    ROW(processors_of_bystander),
    ROW(scheduler_of_bystander),
    ROW(parameters_of_bystander),
    ROW(attributes_of_bystander),
    ROW(disk_priority_of_bystander),
    ROW(pages_moved),
    ROW(single_pages_moved),
    ROW(memory_advised),
    ROW(memory_released),
    ROW(memory_read),
    ROW(memory_written),
    ROW(descriptor_taken),
    ROW(traced),
    ROW(traced_by_attaching),
    ROW(compared),
    ROW(measured),
    ROW(locks_listed),
    ROW(group_of_bystander),
    GONE(memory_by_file, EBADF),
    GONE(memory_of_host, EBADF),
    GONE(host_environment, EBADF),
    GONE(chances_of_host, EBADF),
    GONE(chances_of_itself, EBADF),
    ROW(mark_taken_off),
    ROW(mark_taken_off_by_setrlimit),
    ROW(end_with_host_taken_off),
    ROW(child_reaper),
    ROW(own_session),
    ROW(child),
    ROW(child_by_clone3),
    ROW(traced_child),
    ROW(sibling),
    ROW(own_descriptors),
    ROW(other_namespace),
    ROW(namespace_of_host),
#ifdef SYS_fork
    ROW(old_fork),
#endif
    {NULL, NULL, 0},
};
