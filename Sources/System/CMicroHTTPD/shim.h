#pragma once
#include <microhttpd.h>

/* TLS 1.3 and 1.2, with ciphers that authenticate what they encrypt and new keys for each
 * connection (GnuTLS, "Priority Strings"). They have no compression. GnuTLS lets the server
 * decide about renegotiation, and libmicrohttpd does not allow it. */
#define COPYSTAND_TLS_PRIORITIES                                                                   \
    "NONE:+VERS-TLS1.3:+VERS-TLS1.2:+ECDHE-ECDSA:+ECDHE-RSA"                                       \
    ":+AES-256-GCM:+CHACHA20-POLY1305:+AES-128-GCM:+AEAD:+COMP-NULL:+CTYPE-SRV-X509"               \
    ":+GROUP-X25519:+GROUP-SECP256R1:+GROUP-SECP384R1:+GROUP-SECP521R1"                            \
    ":+SIGN-ECDSA-SHA256:+SIGN-ECDSA-SECP256R1-SHA256:+SIGN-ECDSA-SHA384:+SIGN-ECDSA-SECP384R1-"   \
    "SHA384"                                                                                       \
    ":+SIGN-ECDSA-SHA512:+SIGN-ECDSA-SECP521R1-SHA512:+SIGN-EDDSA-ED25519"                         \
    ":+SIGN-RSA-PSS-RSAE-SHA256:+SIGN-RSA-PSS-RSAE-SHA384:+SIGN-RSA-PSS-RSAE-SHA512"               \
    ":+SIGN-RSA-SHA256:+SIGN-RSA-SHA384:+SIGN-RSA-SHA512:%SERVER_PRECEDENCE:%SAFE_RENEGOTIATION"

/* The settings with which an HTTP daemon is started; MHD_start_daemon is variadic. */
typedef struct {
    unsigned int flags;
    int listen_socket;
    unsigned int threads;
    unsigned int connections;
    unsigned int idle_seconds;
    size_t memory_per_connection;
    const char *tls_key;         /* PEM; NULL for plain HTTP */
    const char *tls_certificate; /* PEM; NULL for plain HTTP */
    void *context;               /* passed to all five callbacks */
    MHD_AcceptPolicyCallback accepts;
    MHD_AccessHandlerCallback access;
    MHD_RequestCompletedCallback completed;
    MHD_NotifyConnectionCallback connection;
    void *(*request_line)(void *context, const char *uri, struct MHD_Connection *connection);
} copystand_mhd_settings;

/* Leaves names and values as they were sent: they are decoded once, and strictly, in Swift. */
static inline size_t copystand_mhd_keep(
    void *context, struct MHD_Connection *connection, char *text)
{
    (void)context;
    (void)connection;
    size_t length = 0;
    while (text[length]) length++;
    return length;
}

static inline struct MHD_Daemon *copystand_mhd_start(const copystand_mhd_settings *s)
{
    struct MHD_OptionItem tls[] = {
        {s->tls_key ? MHD_OPTION_HTTPS_MEM_KEY : MHD_OPTION_END, 0, (void *)s->tls_key},
        {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)s->tls_certificate},
        {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)COPYSTAND_TLS_PRIORITIES},
        {MHD_OPTION_END, 0, NULL},
    };
    return MHD_start_daemon(s->flags, 0, s->accepts, s->context, s->access, s->context,
        MHD_OPTION_LISTEN_SOCKET, s->listen_socket, MHD_OPTION_THREAD_POOL_SIZE, s->threads,
        MHD_OPTION_CONNECTION_LIMIT, s->connections, MHD_OPTION_CONNECTION_TIMEOUT, s->idle_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, s->memory_per_connection, MHD_OPTION_STRICT_FOR_CLIENT,
        1, MHD_OPTION_UNESCAPE_CALLBACK, &copystand_mhd_keep, NULL, MHD_OPTION_NOTIFY_COMPLETED,
        s->completed, s->context, MHD_OPTION_NOTIFY_CONNECTION, s->connection, s->context,
        MHD_OPTION_URI_LOG_CALLBACK, s->request_line, s->context, MHD_OPTION_ARRAY, tls,
        MHD_OPTION_END);
}

/* The socket of a connection; -1 if unknown. MHD_get_connection_info is variadic. */
static inline int copystand_mhd_socket(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

/* The address of a connection's peer; NULL if unknown. */
static inline const struct sockaddr *copystand_mhd_peer(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : NULL;
}

/* The TLS session of a connection; NULL for plain HTTP. */
static inline void *copystand_mhd_session(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
    return info ? info->tls_session : NULL;
}

/* The pointer that the connection callback has stored for a connection; NULL before that. */
static inline void *copystand_mhd_record(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}
