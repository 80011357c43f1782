#include "CRequestGuard.h"

#include <dlfcn.h>
#include <errno.h>
#include <gnutls/gnutls.h>
#include <stdatomic.h>
#include <sys/socket.h>

#define MOST 65536

static _Atomic(void *) plain[MOST];
static _Atomic(void *) secure[MOST];
static _Atomic(copystand_guard) judge_of_all;

bool copystand_guard_watch(int socket, bool is_tls, void *watcher, copystand_guard judge)
{
    if (socket < 0 || socket >= MOST) return false;
    atomic_store(&judge_of_all, judge);
    atomic_store(is_tls ? &secure[socket] : &plain[socket], watcher);
    return true;
}

void copystand_guard_forget(int socket)
{
    if (socket < 0 || socket >= MOST) return;
    atomic_store(&plain[socket], NULL);
    atomic_store(&secure[socket], NULL);
}

static void *watcher_of(_Atomic(void *) *table, int socket)
{
    if (socket < 0 || socket >= MOST) return NULL;
    return atomic_load_explicit(&table[socket], memory_order_acquire);
}

/* The C library's recv is this same system call. */
static ssize_t read_socket(int socket, void *room, size_t size, int flags)
{ return recvfrom(socket, room, size, flags, NULL, NULL); }

ssize_t recv(int socket, void *room, size_t size, int flags)
{
    void *watcher = watcher_of(plain, socket);
    ssize_t count = read_socket(socket, room, size, flags);
    if (!watcher) return count;
    int before = errno;
    ssize_t passed = atomic_load(&judge_of_all)(watcher, NULL, room, count);
    errno = passed == COPYSTAND_GUARD_REFUSED ? ECONNRESET : before;
    return passed == COPYSTAND_GUARD_REFUSED ? -1 : passed;
}

ssize_t gnutls_record_recv(gnutls_session_t session, void *room, size_t size)
{
    static _Atomic(void *) found;
    void *own = atomic_load(&found);
    if (!own) {
        own = dlsym(RTLD_NEXT, "gnutls_record_recv");
        if (!own) return GNUTLS_E_INTERNAL_ERROR;
        atomic_store(&found, own);
    }
    ssize_t count = ((ssize_t (*)(gnutls_session_t, void *, size_t))own)(session, room, size);
    void *watcher = watcher_of(secure, gnutls_transport_get_int(session));
    if (!watcher) return count;
    ssize_t passed = atomic_load(&judge_of_all)(watcher, session, room, count);
    return passed == COPYSTAND_GUARD_REFUSED ? GNUTLS_E_PREMATURE_TERMINATION : passed;
}

void copystand_guard_drain(int socket)
{
    char dropped[16384];
    for (int round = 0; round < 16; round++)
        if (read_socket(socket, dropped, sizeof dropped, MSG_DONTWAIT) <= 0) return;
}
