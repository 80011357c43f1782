#pragma once
#include <stdint.h>
#include <sys/types.h>

/* What the kernel can take away from a process for good. Each answers -1 and errno on failure,
   unless said otherwise; all but those that are said to prepare something can be called between
   vfork and execve. */

struct cposix_confinement;

/* Prepares a Landlock ruleset by which the file system can be read, and nothing of it changed but
   by descriptors that are open already; where the kernel knows how, no process outside can be
   signalled or reached by an abstract socket either. */
int sandbox_read_only_rules(void);

/* Applies a ruleset to the calling thread, after PR_SET_NO_NEW_PRIVS. */
int sandbox_apply_rules(int rules);

/* Gives up every capability; a process of root keeps that of reading all files. */
int sandbox_drop_capabilities(void);

/* Has the kernel refuse to take the mark off this process and all that it starts, after
   PR_SET_NO_NEW_PRIVS; where it can't, nothing is changed. */
int sandbox_keep_mark(void);

/* Has the kernel refuse the calls of this process that the confinement does not allow, after
   PR_SET_NO_NEW_PRIVS. It may signal itself only, by the process number that it has now. */
int sandbox_filter_calls(const struct cposix_confinement *confinement);

/* Namespaces of mounts, of System V's objects, and of processes for the children to come; for an
   ordinary user one of users too. Answers 1 when it made that, else 0. */
int sandbox_enter_namespaces(void);

/* No mount of this namespace can be written to. */
int sandbox_freeze_mounts(void);

/* Names the user and the group of the host in the namespace of users of a child. */
int sandbox_name_user(pid_t child, uid_t user, gid_t group);

/* Mounts a /proc that shows the processes of this namespace only; where the kernel refuses, the old
 * one stays. */
void sandbox_mount_processes(void);

/* Prepares the program of the first process of a namespace, which does nothing: the descriptor of a
 * file without a name. */
int sandbox_first_program(void);

/* Runs that program in place of the calling process; comes back only when it fails. */
void sandbox_run_first(int program);

/* Sets the limits of a backend, whose mark is one of them. Of a user of its own namespace the
 * threads are counted too. */
int backend_set_limits(
    const struct cposix_confinement *confinement, uint64_t mark, int has_new_user);
