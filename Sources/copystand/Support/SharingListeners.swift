import CommandLine
import HTTPServer
import ScannerSharing

/// The sockets on which `serve --share` answers scanning programs.
struct SharingListeners {
    /// The listeners: plain, and with TLS.
    let listeners: [HTTPListener]
    /// The port of plain HTTP.
    let port: UInt16

    /// The port unless another is asked for.
    static let usualPort: UInt16 = 8471

    /// Listens on all addresses, IPv6 included where the machine has it.
    ///
    /// - Throws: `ListenError`.
    init(
        _ desk: SharingDesk, port: UInt16, names: [String], allowed: [Network]?,
        counters: HTTPCounters
    ) throws(ListenError) {
        let server = SharingServer(desk, names: names, allowed: allowed)
        func listen(on address: String) throws(ListenError) -> HTTPListener {
            try HTTPListener(address: address, port: port, counters: counters, handler: server)
        }
        let plain: HTTPListener
        // A socket of IPv6 hears IPv4 as well; a kernel without IPv6 has but the latter.
        do { plain = try listen(on: "::") } catch { plain = try listen(on: "0.0.0.0") }
        listeners = [plain]
        self.port = plain.port
    }

    /// Stops listening.
    func stop() async {
        for listener in listeners { await listener.stop() }
    }
}
