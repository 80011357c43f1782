#define _GNU_SOURCE
#include "attacks.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ANSWER(number) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (number))

int run_as_older_kernel(char *words[])
{
    const unsigned first_of_landlock = 444, last_of_landlock = 446;
    struct sock_filter steps[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JGE | BPF_K, first_of_landlock, 0, 2),
        BPF_JUMP(BPF_JMP | BPF_JGT | BPF_K, last_of_landlock, 1, 0),
        ANSWER(ENOSYS),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_unshare, 0, 1),
        ANSWER(EPERM),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {sizeof steps / sizeof *steps, steps};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0)
        execvp(words[0], words);
    perror("changed: the older kernel");
    return 9;
}
