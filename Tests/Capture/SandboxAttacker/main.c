#define _GNU_SOURCE
#include "attacks.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* A compromised backend: it tries whatever a sandbox forbids, and writes a line for each attempt.

   The host sends one message on descriptor 3, with a file:  HOST BYSTANDER FILE FOLDER WHAT
   WHAT is `attacks`, `sweep`, or a way to end: `abort`, `crash`, `linger`.

   With a command as its arguments, it runs that command as on an older kernel, without Landlock and
   namespaces. */

static void try_all(const struct attack *attacks, const struct target *target)
{
    pid_t self = getpid();
    for (const struct attack *attack = attacks; attack->name; attack++) {
        errno = 0;
        long result = attack->attempt(target);
        int failure = errno;
        /* A child process that should not exist runs for as long as it can. */
        if (getpid() != self) {
            setsid();
            signal(SIGHUP, SIG_IGN);
            for (;;) sleep(600);
        }
        int is_refused =
            result == -1 && (failure == EPERM || failure == EACCES || failure == EROFS ||
                                failure == ENOSYS || failure == attack->refusal);
        printf("%s: %s (%s)\n", attack->name, is_refused ? "refused" : "done",
            result == -1 ? strerror(failure) : "no error");
        fflush(stdout);
    }
}

static void *touch(void *memory)
{
    memset(memory, 1, 1 << 20);
    return memory;
}

static void say(const char *name, int works)
{ printf("%s: %s\n", name, works ? "works" : strerror(errno)); }

/* Does the work that a decoder must still be able to do. */
static void work(const struct target *target)
{
    char byte = 0;
    struct stat information;
    int file = open(target->file, O_RDONLY);
    say("reading a file", file >= 0 && read(file, &byte, 1) == 1);
    say("looking at a file", stat(target->file, &information) == 0);
    say("mapping a file", mmap(NULL, 1, PROT_READ, MAP_SHARED, file, 0) != MAP_FAILED);
    say("writing what the host gave", pwrite(target->given, "x", 1, 0) == 1);
    say("mapping what the host gave",
        mmap(NULL, 1, PROT_READ | PROT_WRITE, MAP_SHARED, target->given, 0) != MAP_FAILED);
    int nothing = open("/dev/null", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    say("throwing away", nothing >= 0 && write(nothing, "x", 1) == 1);
    pthread_t thread;
    void *memory = malloc(1 << 20), *result = NULL;
    say("a thread", pthread_create(&thread, NULL, touch, memory) == 0 &&
                        pthread_join(thread, &result) == 0 && result == memory);
    say("a pipe", pipe((int[2]){0}) == 0);
    say("a signal to itself", kill(getpid(), 0) == 0);
    say("its own limits", syscall(SYS_prlimit64, 0, 7, NULL, &(long[2]){0}) == 0);
    char name[64];
    say("its own program", readlink("/proc/self/exe", name, sizeof name) > 0);
}

/* Receives the host's message and the file that comes with it. */
static int receive(char *text, size_t size)
{
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct iovec vector = {text, size - 1};
    struct msghdr message = {.msg_iov = &vector,
        .msg_iovlen = 1,
        .msg_control = control.space,
        .msg_controllen = sizeof control.space};
    ssize_t count = recvmsg(3, &message, 0);
    if (count <= 0 || !CMSG_FIRSTHDR(&message)) exit(2);
    text[count] = 0;
    int given;
    memcpy(&given, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof given);
    return given;
}

int main(int count, char *words[])
{
    if (count > 1) return run_as_older_kernel(words + 1);
    static char text[8192], file[4096], folder[4096], what[32];
    struct target target = {.given = receive(text, sizeof text), .file = file, .folder = folder};
    if (sscanf(text, "%d %d %4095s %4095s %31s", &target.host, &target.bystander, file, folder,
            what) != 5)
        exit(2);
    signal(SIGHUP, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    if (strcmp(what, "attacks") == 0) {
        work(&target);
        try_all(memory_attacks, &target);
        try_all(kernel_attacks, &target);
        try_all(process_attacks, &target);
        try_all(file_attacks, &target);
    }
    if (strcmp(what, "sweep") == 0) printf("calls let through: %ld\n", sweep());
    printf("end\n");
    fflush(stdout);
    if (strcmp(what, "abort") == 0) abort();
    if (strcmp(what, "crash") == 0) *(volatile int *)8 = 1;
    if (strcmp(what, "linger") == 0)
        for (;;) sleep(600);
    return 7;
}
