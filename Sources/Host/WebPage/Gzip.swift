import CZlib

/// The bytes as a gzip file (RFC 1952); nil when there is no memory for it.
func gzipped(_ bytes: [UInt8]) -> [UInt8]? {
    let room = czlib_gzip_bound(bytes.count)
    let packed = [UInt8](unsafeUninitializedCapacity: room) { output, count in
        count = bytes.withUnsafeBytes {
            czlib_gzip($0.baseAddress, $0.count, output.baseAddress, room)
        }
    }
    return packed.isEmpty ? nil : packed
}

/// True if a request's `Accept-Encoding` (RFC 9110, 12.5.3) names gzip, and does not refuse it with
/// a quality of 0.
package func acceptsGzip(_ header: String?) -> Bool {
    (header ?? "").split(separator: ",").contains { coding in
        let parts = coding.split(separator: ";").map {
            $0.filter { $0 != " " && $0 != "\t" }.lowercased()
        }
        guard parts.first == "gzip" else { return false }
        let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.flatMap {
            Double($0.dropFirst(2))
        }
        return quality ?? 1 > 0
    }
}
