import BlockingWork
import CMicroHTTPD
@preconcurrency import Dispatch
import Glibc
import Synchronization

/// A server that listens on one address (libmicrohttpd).
///
///     let listener = try HTTPListener(address: "127.0.0.1", port: 8470, handler: handler)
///     await listener.stop()
///
/// A few threads of the library serve connections. A complete request is passed to the handler in a
/// task, and its connection sleeps until the answer. A peer that is slow, silent or sends too much
/// is cut (``HTTPLimits``).
public final class HTTPListener: Sendable {
    /// The listening port; the one that the system chose if 0 was requested.
    public let port: UInt16
    private let core: ListenerCore
    private let daemon: Mutex<Daemon?>
    private let watch: any DispatchSourceTimer

    private struct Daemon: @unchecked Sendable {
        /// The library's handle, which any thread may use.
        let handle: OpaquePointer
        let core: Unmanaged<ListenerCore>
    }

    /// A certificate and its key, both as PEM.
    public struct Identity: Sendable {
        /// The certificate, followed by those of its signers.
        public let certificate: String
        /// The certificate's key.
        public let key: String

        /// An identity for TLS.
        public init(certificate: String, key: String) {
            self.certificate = certificate
            self.key = key
        }
    }

    /// Starts to listen.
    ///
    /// - Parameters:
    ///   - address: a numeric IPv4 or IPv6 address.
    ///   - port: the port; 0 for any free one.
    ///   - identity: the certificate and key; nil for plain HTTP.
    ///   - counters: counts refused and cut connections.
    /// - Throws: ``ListenError`` when the address is invalid or can't be listened on, or when the
    ///   key does not belong to the certificate.
    public init(
        address: String, port: UInt16, identity: Identity? = nil, limits: HTTPLimits = HTTPLimits(),
        counters: HTTPCounters = HTTPCounters(), handler: any HTTPHandler
    ) throws(ListenError) {
        let socket = try ListeningSocket(address: address, port: port)
        defer { socket.close() }
        self.port = socket.port
        // A daemon closes its socket when it stops, and after some failures to start, but not after
        // others.
        let owned = try socket.duplicate()
        let limits = limits.fitting(openFiles: Self.openFiles)
        let core = ListenerCore(
            handler: handler, limits: limits, isTLS: identity != nil, counters: counters)
        let retained = Unmanaged.passRetained(core)
        var settings = copystand_mhd_settings()
        settings.flags =
            MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
            | (identity == nil ? 0 : MHD_USE_TLS.rawValue)
        settings.listen_socket = owned
        settings.threads = UInt32(limits.threads)
        // The library divides its limit among its threads, whichever of them accepts, so this
        // higher limit lets ours apply first.
        settings.connections = UInt32((limits.connections + 64) * limits.threads)
        settings.idle_seconds = UInt32(limits.idle)
        settings.memory_per_connection = limits.headBytes
        settings.context = retained.toOpaque()
        settings.accepts = accepts
        settings.access = access
        settings.completed = completed
        settings.connection = connectionChanged
        settings.request_line = requestLine
        let started = (identity?.key).withOptionalCString { key in
            (identity?.certificate).withOptionalCString { certificate in
                settings.tls_key = key
                settings.tls_certificate = certificate
                return copystand_mhd_start(&settings)
            }
        }
        guard let started else {
            retained.release()
            throw ListenError(
                identity == nil
                    ? "The HTTP server could not be started on \(address):\(port)."
                    : "The HTTP server could not be started on \(address):\(port): the certificate and its key do not belong together."
            )
        }
        self.core = core
        daemon = Mutex(Daemon(handle: started, core: retained))
        // The timer is configured only here, and canceled by one stop.
        watch = DispatchSource.makeTimerSource(queue: DispatchQueue(label: "http-watch"))
        watch.schedule(deadline: .now() + 1, repeating: 1, leeway: .milliseconds(100))
        watch.setEventHandler { core.cutSlowPeers() }
        watch.activate()
    }

    /// The number of files that the process may open (`getrlimit`).
    private static var openFiles: Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else {
            return 1024
        }
        return Int(clamping: limit.rlim_cur)
    }

    /// Waits for current answers, and stops listening.
    ///
    /// Streams end immediately. Handlers are waited for, and so are peers that read an answer, for
    /// at most two seconds.
    public func stop() async {
        guard
            let daemon = daemon.withLock({ daemon in
                defer { daemon = nil }
                return daemon
            })
        else { return }
        await onOwnThread { [core, watch] in
            watch.cancel()
            core.stop()
            MHD_stop_daemon(daemon.handle)
            daemon.core.release()
        }
    }
}

/// The reason why an address can't be listened on.
public struct ListenError: Error, Sendable, CustomStringConvertible {
    /// The failure, with the address, and the advice.
    public let message: String
    /// The message.
    public var description: String { message }

    init(_ message: String) { self.message = message }
}

extension Optional where Wrapped == String {
    /// Calls `body` with the text as a C string, or with nil.
    fileprivate func withOptionalCString<Result>(_ body: (UnsafePointer<CChar>?) -> Result)
        -> Result
    {
        switch self {
        case .some(let text): text.withCString(body)
        case .none: body(nil)
        }
    }
}
