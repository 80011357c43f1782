import CCurl
import Synchronization

/// Connections that wait for the next request, by the place that they lead to.
///
/// A batch therefore signs in only once. A connection is either here or used by one delivery.
package final class IdleConnections<Place: Hashable & Sendable, Connection: Sendable>: Sendable {
    private let idle = Mutex<[Place: [Connection]]>([:])
    /// The maximum number that wait for one place.
    private static var most: Int { 4 }

    /// No connections.
    package init() {}

    /// Returns a waiting connection; nil for none.
    package func take(_ place: Place) -> Connection? {
        idle.withLock { $0[place]?.popLast() }
    }

    /// Keeps a connection that can be used again.
    package func keep(_ connection: Connection, for place: Place) {
        idle.withLock { idle in
            if idle[place, default: []].count < Self.most {
                idle[place, default: []].append(connection)
            }
        }
    }
}

/// A handle of libcurl, which keeps its connections between transfers.
///
/// `@unchecked Sendable`: only one transfer uses the handle at a time.
package final class CurlHandle: @unchecked Sendable {
    /// libcurl's own handle, which lives as long as this object.
    package let raw: UnsafeMutableRawPointer

    /// A new one; nil where libcurl can't be started.
    package init?() {
        guard CurlLibrary.isReady, let raw = curl_easy_init() else { return nil }
        self.raw = raw
    }

    deinit { curl_easy_cleanup(raw) }
}

/// libcurl's initialization (`curl_global_init`), once.
private enum CurlLibrary {
    static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
}
