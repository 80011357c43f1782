#pragma once
/* Announces services by mDNS through the Avahi daemon; its client library is loaded when it is
 * first needed. */
#include <stddef.h>
#include <stdint.h>

typedef struct {
    const char *type; /* such as _uscan._tcp */
    uint16_t port;
    /* The entries have the form KEY=VALUE; %h stands for the name of this machine as the daemon
       announces it. */
    const char *const *records;
    size_t count;
} copystand_service;

typedef enum {
    copystand_named,     /* the name that this machine has is reported */
    copystand_announced, /* the service is announced under the reported name */
    copystand_renamed,   /* the name is taken; the reported one is tried */
    copystand_no_daemon, /* it does not run; announcing waits for it */
    copystand_announce_failed
} copystand_announcement;

typedef struct copystand_announcer copystand_announcer;

/* Starts announcing services under one name, and continues after renames and restarts of the
   daemon. `tell` is called from a thread of the library's. All arguments are copied. NULL if the
   library is missing or can't be used; `problem` then gets the reason, which remains valid. */
copystand_announcer *copystand_announce(const char *name, const copystand_service *services,
    size_t count, void (*tell)(void *context, copystand_announcement what, const char *text),
    void *context, const char **problem);

/* Withdraws the announcement. `tell` is not called again after this returns. */
void copystand_announce_end(copystand_announcer *announcer);
