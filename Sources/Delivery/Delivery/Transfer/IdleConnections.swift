import CCurl
import Synchronization

/// Connections that wait for the next document, by the sink that they lead to.
///
/// A batch therefore signs in only once. A connection is either here or used by one delivery.
final class IdleConnections<Connection: Sendable>: Sendable {
    private let idle = Mutex<[SinkDefinition?: [Connection]]>([:])
    /// The maximum number that wait for one sink.
    private static var most: Int { 4 }

    /// Returns a waiting connection; nil for none.
    func take(_ sink: SinkDefinition?) -> Connection? {
        idle.withLock { $0[sink]?.popLast() }
    }

    /// Keeps a connection that can be used again.
    func keep(_ connection: Connection, for sink: SinkDefinition?) {
        idle.withLock { idle in
            if idle[sink, default: []].count < Self.most {
                idle[sink, default: []].append(connection)
            }
        }
    }
}

/// The idle connections of one outbox, by their kind.
struct OpenConnections: Sendable {
    let curl = IdleConnections<CurlHandle>()
    let smb = IdleConnections<SMBConnection>()
}

/// A handle of libcurl, which keeps its connections between transfers.
///
/// `@unchecked Sendable`: only one transfer uses the handle at a time.
final class CurlHandle: @unchecked Sendable {
    let raw: UnsafeMutableRawPointer

    /// A new one; nil where libcurl can't be started.
    init?() {
        guard CurlLibrary.isReady, let raw = curl_easy_init() else { return nil }
        self.raw = raw
    }

    deinit { curl_easy_cleanup(raw) }
}
