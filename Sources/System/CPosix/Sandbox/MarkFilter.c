#define _GNU_SOURCE
#include "CallFilter.h"
#include "Sandbox.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <sys/resource.h>
#include <sys/syscall.h>

void call_filter_keep_mark(struct call_filter *filter, int setrlimit, int prlimit)
{
    const struct call_rule set = {.argument = 0, .mask = ~0U, .count = 1, .values = {RLIMIT_LOCKS}};
    const struct call_rule read[] = {{.argument = 2, .mask = ~0U, .count = 1, .values = {0}},
        {.argument = 2, .is_upper = 1, .mask = ~0U, .count = 1, .values = {0}}};
    const struct call_rule change = {
        .argument = 1, .mask = ~0U, .count = 1, .values = {RLIMIT_LOCKS}};
    call_filter_answer_if(filter, setrlimit, &set, 1, call_refusal(EPERM));
    call_filter_answer_if(filter, prlimit, read, 2, SECCOMP_RET_ALLOW);
    call_filter_answer_if(filter, prlimit, &change, 1, call_refusal(EPERM));
}

int sandbox_keep_mark(void)
{
    struct call_filter filter = {.count = 0};
#ifdef NATIVE_CALLS
    unsigned short begin = call_filter_begin_architecture(&filter, NATIVE_CALLS);
    call_filter_keep_mark(&filter, SYS_setrlimit, SYS_prlimit64);
#ifdef __x86_64__
    call_filter_keep_mark(&filter, first_of_x32 | SYS_setrlimit, first_of_x32 | SYS_prlimit64);
#endif
    call_filter_end_architecture(&filter, begin, SECCOMP_RET_ALLOW);
    /* Numbers of system calls in 32-bit programs. */
#ifdef __x86_64__
    begin = call_filter_begin_architecture(&filter, AUDIT_ARCH_I386);
    call_filter_keep_mark(&filter, 75, 340);
#else
    begin = call_filter_begin_architecture(&filter, AUDIT_ARCH_ARM);
    call_filter_keep_mark(&filter, 75, 369);
#endif
    call_filter_end_architecture(&filter, begin, SECCOMP_RET_ALLOW);
#endif
    return call_filter_apply(&filter, SECCOMP_RET_ALLOW);
}
