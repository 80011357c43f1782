#pragma once
#include <stdint.h>
#include <sys/types.h>

/* Rights that the kernel can permanently take from a process. Each function returns -1 and sets
   errno on failure, unless noted otherwise. All can be called between vfork and execve, except
   those that prepare something. */

struct cposix_confinement;

/* Prepares a Landlock ruleset that allows reading the file system, and changing it only through
   descriptors that are already open. If the kernel supports it, no process outside can be signaled
   or reached by an abstract socket either. */
int sandbox_read_only_rules(void);

/* Applies a ruleset to the calling thread, after PR_SET_NO_NEW_PRIVS. */
int sandbox_apply_rules(int rules);

/* Gives up every capability; a process of root keeps that of reading all files. */
int sandbox_drop_capabilities(void);

/* Makes the kernel refuse to remove the mark from this process and all that it starts, after
   PR_SET_NO_NEW_PRIVS. Changes nothing if the kernel can't do that. */
int sandbox_keep_mark(void);

/* Makes the kernel refuse the calls that the confinement does not allow, after PR_SET_NO_NEW_PRIVS.
   The process may only signal itself, by its current process number. */
int sandbox_filter_calls(const struct cposix_confinement *confinement);

/* Makes namespaces of mounts, of System V's objects, and of processes for future children; for an
   ordinary user also one of users. Returns 1 if it made that, else 0. */
int sandbox_enter_namespaces(void);

/* Makes all mounts of this namespace read-only. */
int sandbox_freeze_mounts(void);

/* Maps the user and the group of the host into the user namespace of a child. */
int sandbox_name_user(pid_t child, uid_t user, gid_t group);

/* Mounts a /proc that only shows the processes of this namespace. If the kernel refuses, the old
 * one stays. */
void sandbox_mount_processes(void);

/* Prepares the program of the first process of a namespace, which does nothing: the descriptor of a
 * file without a name. */
int sandbox_first_program(void);

/* Replaces the calling process with that program; returns only on failure. */
void sandbox_run_first(int program);

/* Sets the limits of a backend, including its mark. In a user namespace of its own, its threads
 * are limited as well. */
int backend_set_limits(
    const struct cposix_confinement *confinement, uint64_t mark, int has_new_user);
