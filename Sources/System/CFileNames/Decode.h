#pragma once
#define _GNU_SOURCE
#include <limits.h>

/* A path in a form that the kernel accepts: in a folder, and short enough. */
struct place {
    int folder;
    /* The folder that was opened on the way, or -1. */
    int opened;
    const char *name;
    char bytes[PATH_MAX];
};

/* Finds the place of `path`, relative to `folder`. Returns 0, or -1 and errno. */
int find_place(struct place *place, int folder, const char *path);

/* Closes what find_place has opened; keeps errno. */
void leave_place(struct place *place);
