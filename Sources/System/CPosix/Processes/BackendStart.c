#define _GNU_SOURCE
#include "CPosix.h"
#include "../Sandbox/Sandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* The data that the host's thread shares with the children that borrow its memory. */
struct start {
    const char *program;
    char *const *variables;
    const struct cposix_confinement *confinement;
    int socket, output, rules, first_program;
    uid_t user;
    gid_t group;
    pid_t host;
    uint64_t mark;
    char *stack;
    int has_new_user;
    volatile int has_no_first;
    volatile pid_t first, backend;
    volatile int failure;
    const char *volatile failed;
};

enum { stack_size = 64 << 10 };

__attribute__((noreturn)) static void give_up(struct start *start, const char *what)
{
    start->failure = errno;
    start->failed = what;
    _exit(127);
}

static int close_from(unsigned first)
{
    if (syscall(SYS_close_range, first, ~0U, 0) == 0) return 0;
    if (errno != ENOSYS) return -1;
    struct rlimit limit;
    if (getrlimit(RLIMIT_NOFILE, &limit) != 0) return -1;
    for (rlim_t descriptor = first; descriptor < limit.rlim_cur; descriptor++)
        close((int)descriptor);
    return 0;
}

/* The host's signal handlers must not run in the child once its signals are unblocked. */
static void forget_handlers(void)
{
    struct sigaction usual = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++) sigaction(number, &usual, NULL);
}

static int confine(struct start *start)
{
    const struct cposix_confinement *confinement = start->confinement;
    if (start->first > 0) sandbox_mount_processes();
    if (backend_set_limits(confinement, start->mark, start->has_new_user) != 0) return -1;
    if (confinement->is_read_only && sandbox_drop_capabilities() != 0) return -1;
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0) return -1;
    if (start->rules >= 0 && sandbox_apply_rules(start->rules) != 0) return -1;
    if (!confinement->filters_calls) return 0;
    int has_sandbox = confinement->is_read_only || confinement->has_no_network;
    return has_sandbox ? sandbox_filter_calls(confinement) : sandbox_keep_mark();
}

/* Runs in the child, which uses the host's memory while the host's thread waits: it makes system
 * calls, takes no locks and allocates nothing. */
static int become_backend(void *argument)
{
    struct start *start = argument;
    forget_handlers();
    if (setsid() < 0) give_up(start, "it can't have a session of its own");
    /* A read-only backend has nothing to clean up, and could ignore any signal but SIGKILL. */
    int signal = start->confinement->is_read_only ? SIGKILL : SIGHUP;
    if (prctl(PR_SET_PDEATHSIG, signal) != 0) give_up(start, "no signal at the host's death");
    /* In a namespace of its own, the child can't see the host; there it dies with the first
       process. */
    if (start->first <= 0 && getppid() != start->host) _exit(127);

    int nothing = open("/dev/null", O_RDONLY);
    if (nothing < 0 || (nothing != 0 && dup2(nothing, 0) < 0))
        give_up(start, "/dev/null can't be opened");
    if (dup2(start->output, 1) < 0 || dup2(start->output, 2) < 0 || dup2(start->socket, 3) < 0)
        give_up(start, "its descriptors can't be set up");
    if (confine(start) != 0) give_up(start, "it can't be confined");
    if (close_from(4) != 0) give_up(start, "descriptors can't be closed");

    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    char *const arguments[] = {(char *)start->program, NULL};
    /* A child of another thread that has not started yet may hold the program open for writing. */
    for (int attempt = 0; attempt < 100; attempt++) {
        execve(start->program, arguments, start->variables);
        if (errno != ETXTBSY) break;
        poll(NULL, 0, 10);
    }
    give_up(start, NULL);
}

/* The first process of the namespaces. As long as it lives, others can live there; when the host
 * dies, it dies too. */
static int become_first(void *argument)
{
    struct start *start = argument;
    forget_handlers();
    /* The kernel reaps what the backend left behind. */
    signal(SIGCHLD, SIG_IGN);
    int is_ready = setsid() >= 0 && prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 &&
                   sandbox_drop_capabilities() == 0 && dup2(start->first_program, 0) == 0 &&
                   close_from(1) == 0;
    if (is_ready) sandbox_run_first(0);
    start->has_no_first = 1;
    _exit(127);
}

/* Starts a sibling of the calling process, which waits until the sibling runs its own program. */
static pid_t start_sibling(int (*become)(void *), struct start *start)
{
    return clone(
        become, start->stack + stack_size, CLONE_VM | CLONE_VFORK | CLONE_PARENT | SIGCHLD, start);
}

/* Runs in the child that makes the namespaces. The child stays in the host's own process
   namespace, so that its siblings are the host's children, and the host learns how they end. The
   child reports nothing if the kernel grants no namespaces. */
__attribute__((noreturn, noinline)) static void start_in_namespaces(struct start *start)
{
    int result = sandbox_enter_namespaces();
    if (result < 0) _exit(127);
    start->has_new_user = result;
    start->first = start_sibling(become_first, start);
    if (start->first <= 0 || start->has_no_first) _exit(127);
    if (result > 0 && sandbox_name_user(start->first, start->user, start->group) != 0) _exit(127);
    if (sandbox_freeze_mounts() != 0) _exit(127);
    /* The host may have ended before the first process was set to die with it. */
    if (getppid() != start->host) kill(start->first, SIGKILL);
    start->backend = start_sibling(become_backend, start);
    if (start->backend < 0) give_up(start, "no process");
    _exit(0);
}

/* A number that no other backend has. It is below this process's own limit, which may also be a
 * mark. */
static int new_mark(uint64_t *mark)
{
    struct rlimit limit;
    if (getrlimit(RLIMIT_LOCKS, &limit) != 0) return -1;
    uint64_t most = limit.rlim_max < (1ULL << 62) ? limit.rlim_max : 1ULL << 62;
    if (getrandom(mark, sizeof *mark, 0) != sizeof *mark) return -1;
    *mark = most > 1 ? 1 + *mark % (most - 1) : 1;
    return 0;
}

static void reap(pid_t child)
{
    while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) {}
}

static void end_first(struct start *start)
{
    if (start->first <= 0) return;
    kill(start->first, SIGKILL);
    reap(start->first);
    start->first = 0;
}

/* True if a backend was started in namespaces, or could not be started for a reason unrelated to
 * namespaces.
 */
static int is_started_in_namespaces(struct start *start)
{
    if (!start->confinement->tries_namespaces) return 0;
    start->first_program = sandbox_first_program();
    start->stack = mmap(
        NULL, stack_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_STACK, -1, 0);
    if (start->first_program >= 0 && start->stack != MAP_FAILED) {
        pid_t child = vfork();
        if (child == 0) start_in_namespaces(start);
        reap(child);
    }
    if (start->first_program >= 0) close(start->first_program);
    if (start->stack != MAP_FAILED) munmap(start->stack, stack_size);
    if (start->backend <= 0 && start->failed == NULL) end_first(start);
    return start->backend > 0 || start->failed != NULL;
}

static void start_backend(struct start *start)
{
    if (is_started_in_namespaces(start)) return;
    /* Without namespaces and Landlock, nothing else prevents the backend from reading the host's
     * memory and environment. */
    if (start->confinement->is_read_only && start->rules < 0) prctl(PR_SET_DUMPABLE, 0);
    pid_t child = vfork();
    if (child == 0) become_backend(start);
    start->backend = child;
    if (child < 0) start->failure = errno;
}

int cposix_spawn_backend(const char *program, char *const variables[], int socket, int output,
    const struct cposix_confinement *confinement, struct cposix_backend *backend,
    const char **failed)
{
    struct start start = {.program = program,
        .variables = variables,
        .confinement = confinement,
        .socket = socket,
        .output = output,
        .rules = -1,
        .user = geteuid(),
        .group = getegid(),
        .host = getpid()};
    *failed = NULL;
    if (new_mark(&start.mark) != 0) return errno;
    if (confinement->is_read_only && confinement->has_landlock) {
        start.rules = sandbox_read_only_rules();
        if (start.rules < 0) {
            *failed = "Landlock refuses";
            return errno;
        }
    }
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    /* fork would copy the memory tables of the whole host, which holds pictures. */
    start_backend(&start);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (start.rules >= 0) close(start.rules);
    if (start.failure != 0) {
        *failed = start.failed;
        reap(start.backend);
        end_first(&start);
        return start.failure;
    }
    *backend =
        (struct cposix_backend){.process = start.backend, .first = start.first, .mark = start.mark};
    return 0;
}

void cposix_end_descendants(const struct cposix_backend *backend)
{
    if (backend->first > 0)
        kill(backend->first, SIGKILL);
    else
        cposix_kill_marked(backend->mark);
}

void cposix_reap_first(const struct cposix_backend *backend) { reap(backend->first); }
