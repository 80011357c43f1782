/* Lets a server examine the bytes that libmicrohttpd reads before libmicrohttpd sees them. */
#ifndef CREQUESTGUARD_H
#define CREQUESTGUARD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Judges the bytes that were read from a watched connection.
 *
 * `count` is what the read returned: a number of bytes, 0 at the end, or negative at an error.
 * `session` is the TLS session, NULL for plain HTTP. Returns how many of these bytes
 * libmicrohttpd may see (or `count` when it is not positive), or COPYSTAND_GUARD_REFUSED to end
 * the connection.
 */
typedef ssize_t (*copystand_guard)(
    void *watcher, void *session, const unsigned char *bytes, ssize_t count);

#define COPYSTAND_GUARD_REFUSED ((ssize_t) - 1000000)

/* Watches a connection's socket from now on. False for a descriptor beyond the 65,536 that can be
 * watched. */
bool copystand_guard_watch(int socket, bool is_tls, void *watcher, copystand_guard judge);

/* Stops watching a socket. Call this before the socket is closed. */
void copystand_guard_forget(int socket);

/* Reads and drops what has arrived on a socket, 256 KiB at most, so that closing the socket does
 * not discard what was just sent. */
void copystand_guard_drain(int socket);

/* This target's `recv` and `gnutls_record_recv` replace the C library's and GnuTLS's in a program
 * that is linked with it.
 *
 * libmicrohttpd 0.9.75 accepts bare line feeds, folded lines and repeated lengths, and hides them
 * from its callbacks. A proxy in front may read the same bytes as other requests. So the bytes are
 * judged where they are read; unwatched sockets are read as usual. */
#endif
