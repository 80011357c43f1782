#pragma once
#include <linux/filter.h>
#include <linux/audit.h>
#include <stddef.h>

#if defined(__x86_64__)
#define NATIVE_CALLS AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE_CALLS AUDIT_ARCH_AARCH64
#endif

/* On x86-64 the numbers of x32, whose calls are those of its own architecture, begin here. */
enum { first_of_x32 = 0x40000000 };

/* A filter of system calls that is being written (seccomp(2), BPF). */
struct call_filter {
    struct sock_filter steps[640];
    unsigned short count;
};

/* The answer to a call that is refused; SECCOMP_RET_ALLOW for one that is not. */
unsigned call_refusal(int error);

/* The following rules, up to the end, are for calls by the numbers of this architecture. Returns
 * what the end needs. */
unsigned short call_filter_begin_architecture(struct call_filter *filter, unsigned architecture);
void call_filter_end_architecture(
    struct call_filter *filter, unsigned short begin, unsigned answer);

/* A call that gets the same answer whatever its arguments. */
void call_filter_answer(struct call_filter *filter, int number, unsigned answer);

/* A rule for half of an argument: with `mask` applied, it must be one of the values. */
struct call_rule {
    int argument;
    int is_upper;
    unsigned mask;
    size_t count;
    unsigned values[16];
};

/* A call that gets this answer if its arguments satisfy all rules; otherwise the following rules
 * decide. */
void call_filter_answer_if(struct call_filter *filter, int number, const struct call_rule *rules,
    size_t count, unsigned answer);

/* The calls of a list, which is sorted here, are allowed. */
void call_filter_allow(struct call_filter *filter, int *numbers, size_t count);

/* All calls from a number on get this answer. */
void call_filter_answer_from(struct call_filter *filter, int number, unsigned answer);

/* Keeps the limit that marks a backend's processes from being changed, by these numbers of
 * setrlimit and prlimit64. */
void call_filter_keep_mark(struct call_filter *filter, int setrlimit, int prlimit);

/* Ends with the answer to all other calls, and has the kernel use the filter from now on: 0, or -1
 * and errno. */
int call_filter_apply(struct call_filter *filter, unsigned answer);
