#pragma once

/* What the kernel can take away from a process for good. Each answers -1 and errno on failure. */

/* A Landlock ruleset by which the file system can be read, and nothing of it changed but by descriptors that are open already;
   where the kernel knows how, no process outside can be signalled or reached by an abstract socket either. */
int sandbox_read_only_rules(void);

/* Applies a ruleset to the calling thread; async-signal-safe, after PR_SET_NO_NEW_PRIVS. */
int sandbox_apply_rules(int rules);

/* Takes away the making of sockets (seccomp); async-signal-safe, after PR_SET_NO_NEW_PRIVS. */
int sandbox_deny_sockets(void);
