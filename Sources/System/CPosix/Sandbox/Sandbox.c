#define _GNU_SOURCE
#include "Sandbox.h"

#include "CPosix.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Landlock's interface (Documentation/userspace-api/landlock.rst of the kernel). Its numbers are
   repeated here, since a distribution's header may be older than the kernel. */
enum {
    write_file = 1 << 1,
    remove_folder = 1 << 4,
    remove_file = 1 << 5,
    make_character_device = 1 << 6,
    make_folder = 1 << 7,
    make_file = 1 << 8,
    make_socket = 1 << 9,
    make_pipe = 1 << 10,
    make_block_device = 1 << 11,
    make_link = 1 << 12,
    move_elsewhere = 1 << 13,
    truncate_file = 1 << 14,
    control_device = 1 << 15,
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

int cposix_landlock_version(void)
{
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, version_flag);
    return version > 0 ? (int)version : 0;
}

static int allow(int rules, const char *path, uint64_t allowed)
{
    struct path_rule rule = {.allowed = allowed, .place = open(path, O_PATH | O_CLOEXEC)};
    if (rule.place < 0) return -1;
    long result = syscall(SYS_landlock_add_rule, rules, path_beneath, &rule, 0);
    int failure = errno;
    close(rule.place);
    errno = failure;
    return (int)result;
}

int sandbox_read_only_rules(void)
{
    int version = cposix_landlock_version();
    if (version < 1) {
        errno = ENOSYS;
        return -1;
    }
    struct ruleset ruleset = {.files = write_file | remove_folder | remove_file |
                                       make_character_device | make_folder | make_file |
                                       make_socket | make_pipe | make_block_device | make_link};
    if (version >= 2) ruleset.files |= move_elsewhere;
    if (version >= 3) ruleset.files |= truncate_file;
    if (version >= 5) ruleset.files |= control_device;
    if (version >= 6) ruleset.scope = abstract_sockets | signals;
    int rules = (int)syscall(SYS_landlock_create_ruleset, &ruleset, sizeof ruleset, 0);
    if (rules < 0) return -1;
    /* Libraries open /dev/null for writing to discard data. */
    if (allow(rules, "/dev/null", ruleset.files & (write_file | truncate_file)) == 0) return rules;
    int failure = errno;
    close(rules);
    errno = failure;
    return -1;
}

int sandbox_apply_rules(int rules) { return (int)syscall(SYS_landlock_restrict_self, rules, 0); }

int sandbox_drop_capabilities(void)
{
    enum { read_all = 2, set_capabilities = 8, last = 63 };
    struct __user_cap_header_struct header = {.version = _LINUX_CAPABILITY_VERSION_3};
    struct __user_cap_data_struct held[2], kept[2] = {{0}, {0}};
    if (syscall(SYS_capget, &header, held) != 0) return -1;
    if (geteuid() == 0) kept[0].effective = kept[0].permitted = held[0].permitted & 1U << read_all;
    if (held[0].effective & 1U << set_capabilities) {
        for (unsigned long one = 0; one <= last; one++)
            if (!(kept[0].permitted && one == read_all) &&
                prctl(PR_CAPBSET_DROP, one, 0, 0, 0) != 0)
                break;
    }
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    return (int)syscall(SYS_capset, &header, kept);
}
