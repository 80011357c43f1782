#define _GNU_SOURCE
#include "CPosix.h"
#include "Sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the two sides of the vfork share. */
struct start {
    const char *program;
    const struct cposix_confinement *confinement;
    int socket, output, rules;
    pid_t host;
    uint64_t mark;
    volatile int failure;
    const char *volatile failed;
};

__attribute__((noreturn)) static void give_up(struct start *start, const char *what) {
    start->failure = errno;
    start->failed = what;
    _exit(127);
}

/* Sets both limits, which can't be raised again; to what this process has itself where that is less. */
static int limit(int resource, uint64_t most) {
    struct rlimit limit;
    if (getrlimit(resource, &limit) != 0) return -1;
    if (limit.rlim_max > most) limit.rlim_max = most;
    limit.rlim_cur = limit.rlim_max;
    return setrlimit(resource, &limit);
}

static int close_from(unsigned first) {
    if (syscall(SYS_close_range, first, ~0U, 0) == 0) return 0;
    if (errno != ENOSYS) return -1;
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return -1;
    for (rlim_t descriptor = first; descriptor < limit.rlim_cur; descriptor++) close((int)descriptor);
    return 0;
}

static int set_limits(const struct cposix_confinement *confinement, uint64_t mark) {
    if (limit(RLIMIT_CORE, 0) != 0) return -1;
    if (limit(RLIMIT_FSIZE, confinement->file_size) != 0) return -1;
    if (limit(RLIMIT_NOFILE, confinement->open_files) != 0) return -1;
    if (confinement->memory > 0 && limit(RLIMIT_DATA, confinement->memory) != 0) return -1;
    return limit(RLIMIT_LOCKS, mark);
}

/* The child, in the host's memory while the host's thread waits: system calls, and nothing that takes a lock or allocates. */
__attribute__((noreturn, noinline)) static void become_backend(struct start *start) {
    /* The host's handlers must not run here once signals are let through. */
    struct sigaction usual = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++) sigaction(number, &usual, NULL);

    if (setsid() < 0) give_up(start, "no session of its own");
    if (prctl(PR_SET_PDEATHSIG, SIGHUP) != 0) give_up(start, "no signal at the host's death");
    if (getppid() != start->host) _exit(127);

    int nothing = open("/dev/null", O_RDONLY);
    if (nothing < 0 || (nothing != 0 && dup2(nothing, 0) < 0)) give_up(start, "/dev/null can't be opened");
    if (dup2(start->output, 1) < 0 || dup2(start->output, 2) < 0 || dup2(start->socket, 3) < 0)
        give_up(start, "its descriptors can't be placed");

    if (set_limits(start->confinement, start->mark) != 0) give_up(start, "its limits can't be set");
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) give_up(start, "new privileges can't be ruled out");
    if (start->rules >= 0 && sandbox_apply_rules(start->rules) != 0) give_up(start, "Landlock refuses");
    if (start->confinement->has_no_network && sandbox_deny_sockets() != 0) give_up(start, "seccomp refuses");
    if (close_from(4) != 0) give_up(start, "descriptors can't be closed");

    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    char *const arguments[] = {(char *)start->program, NULL};
    execve(start->program, arguments, environ);
    give_up(start, NULL);
}

/* A number that no other backend bears: below the limit of this process, which may bear a mark itself. */
static int new_mark(uint64_t *mark) {
    struct rlimit limit;
    if (getrlimit(RLIMIT_LOCKS, &limit) != 0) return -1;
    uint64_t most = limit.rlim_max < (1ULL << 62) ? limit.rlim_max : 1ULL << 62;
    if (getrandom(mark, sizeof *mark, 0) != sizeof *mark) return -1;
    *mark = most > 1 ? 1 + *mark % (most - 1) : 1;
    return 0;
}

int cposix_spawn_backend(
    const char *program, int socket, int output, const struct cposix_confinement *confinement, pid_t *process,
    uint64_t *mark, const char **failed) {
    struct start start = {
        .program = program, .confinement = confinement, .socket = socket, .output = output, .rules = -1, .host = getpid()};
    *failed = NULL;
    if (new_mark(&start.mark) != 0) return errno;
    if (confinement->is_read_only) {
        int rules = sandbox_read_only_rules();
        if (rules >= 0) {
            /* Above the descriptors that the child puts in place. */
            start.rules = fcntl(rules, F_DUPFD_CLOEXEC, 10);
            int failure = errno;
            close(rules);
            errno = failure;
        }
        if (start.rules < 0) {
            *failed = "Landlock refuses";
            return errno;
        }
    }
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    /* Not fork: it would copy the tables of all the host's memory, which holds pictures. */
    pid_t child = vfork();
    if (child == 0) become_backend(&start);
    int failure = child < 0 ? errno : start.failure;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (start.rules >= 0) close(start.rules);
    if (failure != 0) {
        *failed = start.failed;
        if (child > 0) {
            while (waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
        }
        return failure;
    }
    *process = child;
    *mark = start.mark;
    return 0;
}

uint64_t cposix_own_peak_memory(void) {
    /* Not getrusage's, which also counts what this process was before it loaded its program. */
    FILE *status = fopen("/proc/self/status", "re");
    if (status == NULL) return 0;
    char line[256];
    unsigned long long kilobytes = 0;
    while (fgets(line, sizeof line, status) && sscanf(line, "VmHWM: %llu", &kilobytes) != 1) {}
    fclose(status);
    return kilobytes << 10;
}

uint64_t cposix_peak_memory(pid_t process, uint64_t ours) {
    siginfo_t information;
    struct rusage usage = {0};
    /* The wrapper of the C library leaves the last argument out. */
    if (syscall(SYS_waitid, P_PID, process, &information, WEXITED | WNOWAIT | WNOHANG, &usage) != 0) return 0;
    uint64_t peak = (uint64_t)usage.ru_maxrss << 10;
    return peak > ours ? peak : 0;
}
