#define _GNU_SOURCE
#include "Sandbox.h"

#include "CPosix.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Landlock's interface in numbers of our own, since a distribution's header may be older than the kernel that it runs on:
   Documentation/userspace-api/landlock.rst of the kernel. */
enum {
    write_file = 1 << 1, remove_folder = 1 << 4, remove_file = 1 << 5, make_character_device = 1 << 6, make_folder = 1 << 7,
    make_file = 1 << 8, make_socket = 1 << 9, make_pipe = 1 << 10, make_block_device = 1 << 11, make_link = 1 << 12,
    move_elsewhere = 1 << 13, truncate_file = 1 << 14, control_device = 1 << 15,
};
enum { abstract_sockets = 1 << 0, signals = 1 << 1 };
enum { version_flag = 1 << 0, path_beneath = 1 };

struct ruleset {
    uint64_t files, network, scope;
};

struct path_rule {
    uint64_t allowed;
    int32_t place;
} __attribute__((packed));

int cposix_landlock_version(void) {
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, version_flag);
    return version > 0 ? (int)version : 0;
}

static int allow(int rules, const char *path, uint64_t allowed) {
    struct path_rule rule = {.allowed = allowed, .place = open(path, O_PATH | O_CLOEXEC)};
    if (rule.place < 0) return -1;
    long result = syscall(SYS_landlock_add_rule, rules, path_beneath, &rule, 0);
    int failure = errno;
    close(rule.place);
    errno = failure;
    return (int)result;
}

int sandbox_read_only_rules(void) {
    int version = cposix_landlock_version();
    if (version < 1) {
        errno = ENOSYS;
        return -1;
    }
    struct ruleset ruleset = {
        .files = write_file | remove_folder | remove_file | make_character_device | make_folder | make_file | make_socket |
                 make_pipe | make_block_device | make_link};
    if (version >= 2) ruleset.files |= move_elsewhere;
    if (version >= 3) ruleset.files |= truncate_file;
    if (version >= 5) ruleset.files |= control_device;
    if (version >= 6) ruleset.scope = abstract_sockets | signals;
    int rules = (int)syscall(SYS_landlock_create_ruleset, &ruleset, sizeof ruleset, 0);
    if (rules < 0) return -1;
    /* Libraries open it for writing to throw something away. */
    if (allow(rules, "/dev/null", ruleset.files & (write_file | truncate_file)) == 0) return rules;
    int failure = errno;
    close(rules);
    errno = failure;
    return -1;
}

int sandbox_apply_rules(int rules) { return (int)syscall(SYS_landlock_restrict_self, rules, 0); }

#if defined(__x86_64__)
#define NATIVE_CALLS AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE_CALLS AUDIT_ARCH_AARCH64
#endif

int cposix_can_filter_calls(void) {
#ifdef NATIVE_CALLS
    uint32_t action = SECCOMP_RET_ERRNO;
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
#else
    return 0;
#endif
}

int sandbox_deny_sockets(void) {
#ifdef NATIVE_CALLS
    enum { unknown = SECCOMP_RET_ERRNO | ENOSYS, denied = SECCOMP_RET_ERRNO | EACCES };
    struct sock_filter filter[] = {
        /* Calls by the numbers of another architecture would go past what follows. */
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, NATIVE_CALLS, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, unknown),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
#ifdef __x86_64__
        /* The numbers of x32. */
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, 0x40000000, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, unknown),
#endif
        /* A ring makes sockets without the call that makes sockets. */
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_io_uring_setup, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, unknown),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socket, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, denied),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_socketpair, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
        /* One of a pair of datagram sockets can be connected to somebody else; a stream can't. */
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[1])),
        BPF_STMT(BPF_ALU | BPF_AND | BPF_K, 0xf),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SOCK_STREAM, 1, 0),
        BPF_STMT(BPF_RET | BPF_K, denied),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof filter / sizeof filter[0], .filter = filter};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
#else
    errno = ENOSYS;
    return -1;
#endif
}
