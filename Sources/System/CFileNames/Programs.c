#include "Decode.h"
#include "CFileNames.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Returns the words as bytes, in one block of memory; NULL if there is no memory. */
static char **decoded(char *const words[])
{
    size_t number = 0, size = 0;
    for (; words[number]; number++) size += strlen(words[number]) + 1;
    char **list = malloc((number + 1) * sizeof *list + size);
    if (list == NULL) return NULL;
    char *room = (char *)(list + number + 1);
    for (size_t index = 0; index < number; index++) {
        list[index] = room;
        room += cfilenames_decode(words[index], strlen(words[index]), room);
        *room++ = '\0';
    }
    list[number] = NULL;
    return list;
}

typedef int spawn_call(pid_t *, const char *, const posix_spawn_file_actions_t *,
    const posix_spawnattr_t *, char *const[], char *const[]);

static int spawn(const char *call, pid_t *process, const char *path,
    const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
    char *const words[], char *const variables[])
{
    struct place at;
    if (find_place(&at, AT_FDCWD, path) != 0) return errno;
    char **arguments = decoded(words), **environment = variables ? decoded(variables) : NULL;
    spawn_call *next = (spawn_call *)dlsym(RTLD_NEXT, call);
    int failure = arguments == NULL || (variables && environment == NULL) ? ENOMEM
                  : at.opened >= 0
                      ? ENAMETOOLONG
                      : next(process, at.name, actions, attributes, arguments, environment);
    free(arguments);
    free(environment);
    leave_place(&at);
    return failure;
}

int posix_spawn(pid_t *restrict process, const char *restrict path,
    const posix_spawn_file_actions_t *restrict actions,
    const posix_spawnattr_t *restrict attributes, char *const words[restrict],
    char *const variables[restrict])
{ return spawn("posix_spawn", process, path, actions, attributes, words, variables); }

int posix_spawnp(pid_t *restrict process, const char *restrict program,
    const posix_spawn_file_actions_t *restrict actions,
    const posix_spawnattr_t *restrict attributes, char *const words[restrict],
    char *const variables[restrict])
{ return spawn("posix_spawnp", process, program, actions, attributes, words, variables); }

/* This is also called between vfork(2) and the new program, so no memory is allocated for a path
 * of usual length. */
int execve(const char *path, char *const words[], char *const variables[])
{
    struct place at;
    if (find_place(&at, AT_FDCWD, path) != 0) return -1;
    /* The plain call is used if it is enough, because a sandbox may allow only that call. */
    int result = at.folder == AT_FDCWD
                     ? (int)syscall(SYS_execve, at.name, words, variables)
                     : (int)syscall(SYS_execveat, at.folder, at.name, words, variables, 0);
    leave_place(&at);
    return result;
}
