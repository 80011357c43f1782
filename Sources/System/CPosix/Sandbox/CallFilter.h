#pragma once
#include <linux/filter.h>
#include <linux/audit.h>
#include <stddef.h>

#if defined(__x86_64__)
#define NATIVE_CALLS AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define NATIVE_CALLS AUDIT_ARCH_AARCH64
#endif

/* On x86-64 the numbers of x32, another interface to the same calls, begin here. */
enum { first_of_x32 = 0x40000000 };

/* A filter of system calls that is being written (seccomp(2), BPF). */
struct call_filter {
    struct sock_filter steps[640];
    unsigned short count;
};

/* The filter's answer for a refused call, or SECCOMP_RET_ALLOW. */
unsigned call_refusal(int error);

/* Begins rules for calls by the numbers of this architecture. Returns the value for the function
 * that ends these rules. */
unsigned short call_filter_begin_architecture(struct call_filter *filter, unsigned architecture);
void call_filter_end_architecture(
    struct call_filter *filter, unsigned short begin, unsigned answer);

/* Adds a call that gets the same answer for any arguments. */
void call_filter_answer(struct call_filter *filter, int number, unsigned answer);

/* A condition for half of an argument: with `mask` applied, it must be one of the values. */
struct call_rule {
    int argument;
    int is_upper;
    unsigned mask;
    size_t count;
    unsigned values[16];
};

/* Adds a call that gets this answer if its arguments satisfy all conditions; otherwise the
 * following rules decide. */
void call_filter_answer_if(struct call_filter *filter, int number, const struct call_rule *rules,
    size_t count, unsigned answer);

/* Allows the calls in a list, which this function sorts. */
void call_filter_allow(struct call_filter *filter, int *numbers, size_t count);

/* Gives all calls from a number on this answer. */
void call_filter_answer_from(struct call_filter *filter, int number, unsigned answer);

/* Prevents changes of the limit that marks a backend's processes, for these numbers of setrlimit
 * and prlimit64. */
void call_filter_keep_mark(struct call_filter *filter, int setrlimit, int prlimit);

/* Adds the answer for all other calls, and makes the kernel use the filter: 0, or -1 and errno. */
int call_filter_apply(struct call_filter *filter, unsigned answer);
