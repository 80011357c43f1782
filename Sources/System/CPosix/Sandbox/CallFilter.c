#include "CallFilter.h"

#include "CPosix.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int cposix_can_filter_calls(void)
{
#ifdef NATIVE_CALLS
    unsigned action = SECCOMP_RET_ERRNO;
    return syscall(SYS_seccomp, SECCOMP_GET_ACTION_AVAIL, 0, &action) == 0;
#else
    return 0;
#endif
}

unsigned call_refusal(int error) { return SECCOMP_RET_ERRNO | (unsigned)error; }

static void add(struct call_filter *filter, struct sock_filter step)
{
    /* The kernel refuses a filter that is too long, and does not truncate it. */
    if (filter->count < sizeof filter->steps / sizeof *filter->steps)
        filter->steps[filter->count] = step;
    filter->count++;
}

static void load(struct call_filter *filter, size_t place)
{ add(filter, (struct sock_filter)BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)place)); }

static void answer(struct call_filter *filter, unsigned answer)
{ add(filter, (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, answer)); }

/* Adds a jump: continues if the comparison holds, and otherwise skips `over` steps. */
static void go_on_if(struct call_filter *filter, int comparison, unsigned value, size_t over)
{
    add(filter,
        (struct sock_filter)BPF_JUMP(BPF_JMP | comparison | BPF_K, value, 0, (unsigned char)over));
}

unsigned short call_filter_begin_architecture(struct call_filter *filter, unsigned architecture)
{
    load(filter, offsetof(struct seccomp_data, arch));
    unsigned short begin = filter->count;
    add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0));
    add(filter, (struct sock_filter)BPF_STMT(BPF_JMP | BPF_JA, 0));
    load(filter, offsetof(struct seccomp_data, nr));
    return begin;
}

void call_filter_end_architecture(struct call_filter *filter, unsigned short begin, unsigned what)
{
    answer(filter, what);
    filter->steps[begin + 1].k = filter->count - begin - 2u;
}

void call_filter_answer_from(struct call_filter *filter, int number, unsigned what)
{
    go_on_if(filter, BPF_JGE, (unsigned)number, 1);
    answer(filter, what);
}

void call_filter_answer(struct call_filter *filter, int number, unsigned what)
{
    go_on_if(filter, BPF_JEQ, (unsigned)number, 1);
    answer(filter, what);
}

void call_filter_answer_if(struct call_filter *filter, int number, const struct call_rule *rules,
    size_t count, unsigned what)
{
    /* The number of steps after the comparison with the call's number. The last step loads the
       number again. */
    size_t left = 1;
    for (size_t index = 0; index < count; index++) left += 3 + rules[index].count;
    go_on_if(filter, BPF_JEQ, (unsigned)number, left + 1);
    for (size_t index = 0; index < count; index++) {
        const struct call_rule *rule = rules + index;
        size_t half = rule->is_upper ? sizeof(uint32_t) : 0;
        load(filter,
            offsetof(struct seccomp_data, args) + sizeof(uint64_t) * (size_t)rule->argument + half);
        add(filter, (struct sock_filter)BPF_STMT(BPF_ALU | BPF_AND | BPF_K, rule->mask));
        for (size_t value = 0; value < rule->count; value++) {
            unsigned char rest = (unsigned char)(rule->count - value);
            add(filter, (struct sock_filter)BPF_JUMP(
                            BPF_JMP | BPF_JEQ | BPF_K, rule->values[value], rest, 0));
        }
        left -= 3 + rule->count;
        add(filter, (struct sock_filter)BPF_STMT(BPF_JMP | BPF_JA, (unsigned)left));
    }
    answer(filter, what);
    load(filter, offsetof(struct seccomp_data, nr));
}

void call_filter_allow(struct call_filter *filter, int *numbers, size_t count)
{
    for (size_t index = 1; index < count; index++)
        for (size_t place = index; place > 0 && numbers[place - 1] > numbers[place]; place--) {
            int number = numbers[place];
            numbers[place] = numbers[place - 1];
            numbers[place - 1] = number;
        }
    for (size_t index = 0; index < count; index++) {
        unsigned first = (unsigned)numbers[index], last = first;
        while (index + 1 < count && (unsigned)numbers[index + 1] <= last + 1)
            last = (unsigned)numbers[++index];
        go_on_if(filter, BPF_JGE, first, 2);
        add(filter, (struct sock_filter)BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, last, 1, 0));
        answer(filter, SECCOMP_RET_ALLOW);
    }
}

int call_filter_apply(struct call_filter *filter, unsigned what)
{
    /* Otherwise kernels before 5.16 would slow the process down, as they do for browsers. */
    enum { no_slower = 1 << 2 };
    answer(filter, what);
    if (filter->count > sizeof filter->steps / sizeof *filter->steps) {
        errno = ENOSYS;
        return -1;
    }
    struct sock_fprog program = {.len = filter->count, .filter = filter->steps};
    if (syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, no_slower, &program) == 0) return 0;
    return errno == EINVAL ? prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) : -1;
}
