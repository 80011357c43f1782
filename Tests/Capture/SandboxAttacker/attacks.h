#pragma once
#include <stddef.h>
#include <sys/types.h>

/* The targets of an attack. */
struct target {
    pid_t host;         /* the process that started this one */
    pid_t bystander;    /* another process of the same user */
    const char *file;   /* a file of the user */
    const char *folder; /* the folder of that file */
    int given;          /* a file that the host has opened and handed over */
};

/* An attempt to do what a sandbox forbids. */
struct attack {
    const char *name;
    /* Returns the result of a system call: -1 and errno if it failed. */
    long (*attempt)(const struct target *target);
    /* A further error number that counts as a refusal; 0 for none. */
    int refusal;
};

extern const struct attack file_attacks[], process_attacks[], memory_attacks[], kernel_attacks[];

/* Runs a command as if the kernel had neither Landlock nor namespaces. Returns only on failure. */
int run_as_older_kernel(char *words[]);

/* Makes system calls that decoding a picture never needs, and returns how many were not refused. */
long sweep(void);
