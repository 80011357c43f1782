import CommandLine
import HTTPServer
import ScannerSharing

/// The sockets on which `serve --share` answers scanning programs.
struct SharingListeners {
    /// The listeners: plain, and with TLS.
    let listeners: [HTTPListener]
    /// The port of plain HTTP.
    let port: UInt16
    /// The port of HTTPS; nil where it is not spoken.
    let securePort: UInt16?

    /// Listens on all addresses, IPv6 included where the machine has it.
    ///
    /// - Parameter identity: the certificate and key for TLS, on the next port; nil without TLS.
    /// - Throws: `ListenError`.
    init(
        _ scanners: SharedScanners, port: UInt16, identity: HTTPListener.Identity?,
        allowed: [Network]?,
        counters: HTTPCounters
    ) throws(ListenError) {
        // With the time for which a job is kept, this limit frees the device of a vanished client
        // within a minute.
        var limits = HTTPLimits()
        limits.idle = 25
        func listen(_ port: UInt16, _ identity: HTTPListener.Identity?) throws(ListenError)
            -> HTTPListener
        {
            let server = SharingServer(
                scanners, allowed: allowed, isSecure: identity != nil)
            func on(_ address: String) throws(ListenError) -> HTTPListener {
                try HTTPListener(
                    address: address, port: port, identity: identity, limits: limits,
                    counters: counters, handler: server)
            }
            // An IPv6 socket also receives IPv4; a kernel without IPv6 has only the latter.
            do { return try on("::") } catch { return try on("0.0.0.0") }
        }
        let plain = try listen(port, nil)
        let secure = try identity.map { identity throws(ListenError) in
            try listen(plain.port < .max && port > 0 ? plain.port + 1 : 0, identity)
        }
        listeners = [plain] + [secure].compactMap(\.self)
        self.port = plain.port
        securePort = secure?.port
    }

    /// Stops listening.
    func stop() async {
        for listener in listeners { await listener.stop() }
    }
}
