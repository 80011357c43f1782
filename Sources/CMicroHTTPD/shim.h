#pragma once
#include <microhttpd.h>

/* What an HTTP daemon is started with; MHD_start_daemon is variadic. */
typedef struct {
    unsigned int flags;
    int listen_socket;
    unsigned int threads;
    unsigned int connections;
    unsigned int connections_per_address;
    unsigned int idle_seconds;
    size_t memory_per_connection;
    const char *tls_key;         /* PEM; NULL for plain HTTP */
    const char *tls_certificate; /* PEM; NULL for plain HTTP */
    void *context;               /* passed to all four callbacks */
    MHD_AccessHandlerCallback access;
    MHD_RequestCompletedCallback completed;
    MHD_NotifyConnectionCallback connection;
    void *(*request_line)(void *context, const char *uri, struct MHD_Connection *connection);
} copystand_mhd_settings;

/* Leaves names and values as they were sent: they are decoded once, and strictly, in Swift. */
static inline size_t copystand_mhd_keep(void *context, struct MHD_Connection *connection, char *text)
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
        {MHD_OPTION_END, 0, NULL},
    };
    return MHD_start_daemon(
        s->flags, 0, NULL, NULL, s->access, s->context,
        MHD_OPTION_LISTEN_SOCKET, s->listen_socket,
        MHD_OPTION_THREAD_POOL_SIZE, s->threads,
        MHD_OPTION_CONNECTION_LIMIT, s->connections,
        MHD_OPTION_PER_IP_CONNECTION_LIMIT, s->connections_per_address,
        MHD_OPTION_CONNECTION_TIMEOUT, s->idle_seconds,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, s->memory_per_connection,
        MHD_OPTION_STRICT_FOR_CLIENT, 1,
        MHD_OPTION_UNESCAPE_CALLBACK, &copystand_mhd_keep, NULL,
        MHD_OPTION_NOTIFY_COMPLETED, s->completed, s->context,
        MHD_OPTION_NOTIFY_CONNECTION, s->connection, s->context,
        MHD_OPTION_URI_LOG_CALLBACK, s->request_line, s->context,
        MHD_OPTION_ARRAY, tls,
        MHD_OPTION_END);
}

/* MHD_get_connection_info is variadic. The socket of a connection; -1 when it is not known. */
static inline int copystand_mhd_socket(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);
    return info ? info->connect_fd : -1;
}

/* The address of a connection's peer; NULL when it is not known. */
static inline const struct sockaddr *copystand_mhd_peer(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info ? info->client_addr : NULL;
}

/* What the connection callback has put aside for a connection; NULL before that. */
static inline void *copystand_mhd_record(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}
