#include "CAvahi.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <avahi-client/client.h>
#include <avahi-client/publish.h>
#include <avahi-common/alternative.h>
#include <avahi-common/error.h>
#include <avahi-common/malloc.h>
#include <avahi-common/strlst.h>
#include <avahi-common/thread-watch.h>

#define CLIENT(each)                                                                               \
    each(avahi_client_new) each(avahi_client_free) each(avahi_client_errno)                        \
        each(avahi_client_get_host_name_fqdn) each(avahi_entry_group_new)                          \
            each(avahi_entry_group_reset) each(avahi_entry_group_commit)                           \
                each(avahi_entry_group_is_empty) each(avahi_entry_group_add_service_strlst)
#define COMMON(each)                                                                               \
    each(avahi_threaded_poll_new) each(avahi_threaded_poll_free) each(avahi_threaded_poll_get)     \
        each(avahi_threaded_poll_start) each(avahi_threaded_poll_stop) each(avahi_strerror)        \
            each(avahi_free) each(avahi_alternative_service_name) each(avahi_string_list_add)      \
                each(avahi_string_list_free)

static struct {
#define POINTER(name) __typeof__(&name) name;
    CLIENT(POINTER)
    COMMON(POINTER)
} real;

static const char *missing;

static void load(void)
{
    void *common = dlopen("libavahi-common.so.3", RTLD_LAZY | RTLD_LOCAL);
    void *client = common ? dlopen("libavahi-client.so.3", RTLD_LAZY | RTLD_LOCAL) : NULL;
    if (!client) {
        missing = "libavahi-client.so.3 can't be loaded";
        return;
    }
#define FIND_IN(library, name)                                                                     \
    if (!(real.name = (__typeof__(real.name))dlsym(library, #name)))                               \
        missing = #name " is "                                                                     \
                        "missing";
#define OF_CLIENT(name) FIND_IN(client, name)
#define OF_COMMON(name) FIND_IN(common, name)
    CLIENT(OF_CLIENT)
    COMMON(OF_COMMON)
}

typedef struct {
    char *type;
    uint16_t port;
    char **records;
    size_t count;
} service;

struct copystand_announcer {
    AvahiThreadedPoll *poll;
    AvahiClient *client;
    AvahiEntryGroup *group;
    char *name;
    service *services;
    size_t count;
    void (*tell)(void *context, copystand_announcement what, const char *text);
    void *context;
};

static void publish(copystand_announcer *self, AvahiClient *client);

static void fail(copystand_announcer *self, int error)
{ self->tell(self->context, copystand_announce_failed, real.avahi_strerror(error)); }

static void rename_service(copystand_announcer *self)
{
    char *other = real.avahi_alternative_service_name(self->name);
    char *copy = other ? strdup(other) : NULL;
    real.avahi_free(other);
    if (!copy) return fail(self, AVAHI_ERR_NO_MEMORY);
    free(self->name);
    self->name = copy;
    self->tell(self->context, copystand_renamed, self->name);
}

static void groupChanged(AvahiEntryGroup *group, AvahiEntryGroupState state, void *context)
{
    (void)group;
    copystand_announcer *self = context;
    switch (state) {
    case AVAHI_ENTRY_GROUP_ESTABLISHED:
        self->tell(self->context, copystand_announced, self->name);
        break;
    case AVAHI_ENTRY_GROUP_COLLISION:
        rename_service(self);
        publish(self, self->client);
        break;
    case AVAHI_ENTRY_GROUP_FAILURE: fail(self, real.avahi_client_errno(self->client)); break;
    case AVAHI_ENTRY_GROUP_UNCOMMITED:
    case AVAHI_ENTRY_GROUP_REGISTERING: break;
    }
}

/* Returns a record with the machine's name inserted; NULL if there is no memory. */
static char *filled(const char *record, const char *host)
{
    const char *mark = strstr(record, "%h");
    if (!mark) return strdup(record);
    char *result = malloc(strlen(record) + strlen(host) + 1);
    if (!result) return NULL;
    memcpy(result, record, (size_t)(mark - record));
    strcpy(result + (mark - record), host);
    strcat(result, mark + 2);
    return result;
}

static int add(copystand_announcer *self, const service *one, const char *host)
{
    AvahiStringList *list = NULL;
    /* The list is built from its end. */
    for (size_t i = one->count; i > 0; i--) {
        char *record = filled(one->records[i - 1], host);
        AvahiStringList *longer = record ? real.avahi_string_list_add(list, record) : NULL;
        free(record);
        if (!longer) {
            real.avahi_string_list_free(list);
            return AVAHI_ERR_NO_MEMORY;
        }
        list = longer;
    }
    int result = real.avahi_entry_group_add_service_strlst(self->group, AVAHI_IF_UNSPEC,
        AVAHI_PROTO_UNSPEC, 0, self->name, one->type, NULL, NULL, one->port, list);
    real.avahi_string_list_free(list);
    return result;
}

static void publish(copystand_announcer *self, AvahiClient *client)
{
    if (!self->group) self->group = real.avahi_entry_group_new(client, groupChanged, self);
    if (!self->group) return fail(self, real.avahi_client_errno(client));
    const char *host = real.avahi_client_get_host_name_fqdn(client);
    if (host) self->tell(self->context, copystand_named, host);
    for (int tries = 0; tries < 20; tries++) {
        real.avahi_entry_group_reset(self->group);
        int result = 0;
        for (size_t i = 0; i < self->count && result >= 0; i++)
            result = add(self, &self->services[i], host ? host : "localhost");
        if (result >= 0) result = real.avahi_entry_group_commit(self->group);
        if (result >= 0) return;
        if (result != AVAHI_ERR_COLLISION) return fail(self, result);
        rename_service(self);
    }
    fail(self, AVAHI_ERR_COLLISION);
}

static void clientChanged(AvahiClient *client, AvahiClientState state, void *context)
{
    copystand_announcer *self = context;
    /* Avahi also calls this before `avahi_client_new` has returned the client. */
    self->client = client;
    switch (state) {
    case AVAHI_CLIENT_S_RUNNING: publish(self, client); break;
    case AVAHI_CLIENT_S_COLLISION:
    case AVAHI_CLIENT_S_REGISTERING:
        if (self->group) real.avahi_entry_group_reset(self->group);
        break;
    case AVAHI_CLIENT_CONNECTING: self->tell(self->context, copystand_no_daemon, ""); break;
    case AVAHI_CLIENT_FAILURE: {
        int error = real.avahi_client_errno(client);
        if (error != AVAHI_ERR_DISCONNECTED) {
            fail(self, error);
            break;
        }
        /* The daemon has ended: a new client waits for the next daemon. The group is freed with
         * its client. */
        self->group = NULL;
        self->client = NULL;
        real.avahi_client_free(client);
        if (!real.avahi_client_new(real.avahi_threaded_poll_get(self->poll), AVAHI_CLIENT_NO_FAIL,
                clientChanged, self, &error)) {
            fail(self, error);
        }
        break;
    }
    }
}

static void release(copystand_announcer *self)
{
    if (self->client) real.avahi_client_free(self->client);
    if (self->poll) real.avahi_threaded_poll_free(self->poll);
    for (size_t i = 0; self->services && i < self->count; i++) {
        for (size_t k = 0; self->services[i].records && k < self->services[i].count; k++)
            free(self->services[i].records[k]);
        free(self->services[i].records);
        free(self->services[i].type);
    }
    free(self->services);
    free(self->name);
    free(self);
}

static int copy(copystand_announcer *self, const copystand_service *services, size_t count)
{
    self->services = calloc(count, sizeof *self->services);
    if (!self->services || !self->name) return -1;
    self->count = count;
    for (size_t i = 0; i < count; i++) {
        service *to = &self->services[i];
        to->type = strdup(services[i].type);
        to->port = services[i].port;
        to->records = calloc(services[i].count, sizeof *to->records);
        if (!to->type || !to->records) return -1;
        to->count = services[i].count;
        for (size_t k = 0; k < to->count; k++) {
            if (!(to->records[k] = strdup(services[i].records[k]))) return -1;
        }
    }
    return 0;
}

copystand_announcer *copystand_announce(const char *name, const copystand_service *services,
    size_t count, void (*tell)(void *context, copystand_announcement what, const char *text),
    void *context, const char **problem)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    *problem = missing;
    if (missing) return NULL;
    *problem = "there is no memory";
    copystand_announcer *self = calloc(1, sizeof *self);
    if (!self) return NULL;
    self->name = strdup(name);
    self->tell = tell;
    self->context = context;
    if (copy(self, services, count) || !(self->poll = real.avahi_threaded_poll_new())) {
        release(self);
        return NULL;
    }
    int error = 0;
    if (!real.avahi_client_new(real.avahi_threaded_poll_get(self->poll), AVAHI_CLIENT_NO_FAIL,
            clientChanged, self, &error) ||
        real.avahi_threaded_poll_start(self->poll) < 0) {
        *problem = error ? real.avahi_strerror(error) : "its thread can't be started";
        release(self);
        return NULL;
    }
    return self;
}

void copystand_announce_end(copystand_announcer *announcer)
{
    real.avahi_threaded_poll_stop(announcer->poll);
    release(announcer);
}
