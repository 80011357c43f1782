import CGnuTLS
import CRequestGuard
import Glibc

/// Checks a connection's bytes before libmicrohttpd reads them, and refuses malformed requests.
///
/// `@unchecked Sendable`: only the server's thread for the connection uses the watch, while the
/// library reads.
final class RequestWatch: @unchecked Sendable {
    private var scanner: RequestScanner
    private var fault: RequestScanner.Fault?
    private let socket: CInt
    private let counters: HTTPCounters

    init(socket: CInt, limit: Int, counters: HTTPCounters) {
        self.socket = socket
        self.counters = counters
        scanner = RequestScanner(limit: limit)
    }

    /// Checks every read of the connection from now on; false when this is not possible.
    ///
    /// The watch must live until ``end()``.
    func begin(isTLS: Bool) -> Bool {
        copystand_guard_watch(socket, isTLS, Unmanaged.passUnretained(self).toOpaque(), judgeRead)
    }

    /// Ends the watch; called before the socket is closed.
    func end() { copystand_guard_forget(socket) }

    /// Checks the bytes that were read; returns how many of them the library gets.
    fileprivate func judge(
        _ bytes: UnsafeRawBufferPointer, session: UnsafeMutableRawPointer?
    ) -> Int {
        if let fault { return refuse(fault, session) }
        guard !bytes.isEmpty else { return 0 }
        let (sound, found) = scanner.scan(bytes)
        guard let found else { return bytes.count }
        fault = found
        // The library reads on only after it has answered all earlier requests, so this answer
        // comes in order.
        guard sound > 0 else { return refuse(found, session) }
        // After a short read, the library waits for more; this wakes it after it has answered the
        // valid part.
        if session == nil { shutdown(socket, CInt(SHUT_RD)) }
        return sound
    }

    private func refuse(_ fault: RequestScanner.Fault, _ session: UnsafeMutableRawPointer?) -> Int {
        counters.count(.malformed)
        LastAnswer(Problems.malformed(fault)).send(socket, session)
        return Int(COPYSTAND_GUARD_REFUSED)
    }

    fileprivate var hasFault: Bool { fault != nil }
}

/// Called with all bytes that are read from a watched connection.
private func judgeRead(
    _ watcher: UnsafeMutableRawPointer?, _ session: UnsafeMutableRawPointer?,
    bytes: UnsafePointer<UInt8>?, count: Int
) -> Int {
    guard let watcher else { return count }
    let watch = Unmanaged<RequestWatch>.fromOpaque(watcher).takeUnretainedValue()
    guard count > 0 || watch.hasFault else { return count }
    return watch.judge(
        UnsafeRawBufferPointer(start: bytes, count: max(0, count)), session: session)
}
