#pragma once
/* Announces services by mDNS through the Avahi daemon; its client library is loaded when it is
 * first needed. */
#include <stddef.h>
#include <stdint.h>

typedef struct {
    const char *type; /* such as _uscan._tcp */
    uint16_t port;
    /* KEY=VALUE each; %h stands for the name of this machine as the daemon announces it. */
    const char *const *records;
    size_t count;
} copystand_service;

typedef enum {
    copystand_named,     /* this machine is called what is told */
    copystand_announced, /* under the name that is told */
    copystand_renamed,   /* another has the name; it is tried under the one that is told */
    copystand_no_daemon, /* nothing is announced until it runs; it is waited for */
    copystand_announce_failed
} copystand_announcement;

typedef struct copystand_announcer copystand_announcer;

/* Starts announcing services under one name, and continues after renames and restarts of the
   daemon. `tell` is called from a thread of the library's. All that is given is copied. NULL when
   the library is not there or can't be used, with the reason in `problem`, which stays. */
copystand_announcer *copystand_announce(const char *name, const copystand_service *services,
    size_t count, void (*tell)(void *context, copystand_announcement what, const char *text),
    void *context, const char **problem);

/* Takes the announcement back; `tell` is not called any more when this returns. */
void copystand_announce_end(copystand_announcer *announcer);
