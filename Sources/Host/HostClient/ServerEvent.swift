/// An event from a host (server-sent events, WHATWG HTML 9.2).
struct ServerEvent: Hashable {
    /// The event's name; `message` by default.
    var name: String
    /// The event's data.
    var data: [UInt8]
    /// The number to continue after; empty for none.
    var id: String
}

/// Reads events from bytes, which may arrive in any pieces.
struct ServerEventReader {
    /// The maximum size of an event in bytes, enough for a job with many thousands of pages.
    private let limit: Int
    private var line: [UInt8] = []
    private var wasReturn = false
    private var name = ""
    private var data: [UInt8] = []
    private var hasData = false
    private var id = ""

    init(limit: Int = 16 << 20) { self.limit = limit }

    /// Reads the next bytes.
    ///
    /// - Parameter onEvent: gets each complete event; returns false to stop.
    /// - Returns: false when `onEvent` stops, or an event is longer than the limit; ``isTooLong`` then
    ///   tells which.
    mutating func take(
        _ bytes: UnsafeRawBufferPointer, _ onEvent: (ServerEvent) -> Bool
    ) -> Bool {
        for byte in bytes {
            defer { wasReturn = byte == UInt8(ascii: "\r") }
            switch byte {
            case UInt8(ascii: "\n") where wasReturn: continue
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"):
                if let event = endLine(), !onEvent(event) { return false }
            default:
                guard line.count + data.count < limit else {
                    isTooLong = true
                    return false
                }
                line.append(byte)
            }
        }
        return true
    }

    /// True once an event was longer than the limit.
    private(set) var isTooLong = false

    /// Reads a line; returns the event that the line ends, if any.
    private mutating func endLine() -> ServerEvent? {
        defer { line.removeAll(keepingCapacity: line.count < 1 << 16) }
        guard !line.isEmpty else {
            defer { (name, data, hasData) = ("", [], false) }
            return hasData
                ? ServerEvent(name: name.isEmpty ? "message" : name, data: data, id: id) : nil
        }
        let colon = line.firstIndex(of: UInt8(ascii: ":")) ?? line.endIndex
        var value = line[min(colon + 1, line.endIndex)...]
        if value.first == UInt8(ascii: " ") { value = value.dropFirst() }
        switch String(decoding: line[..<colon], as: UTF8.self) {
        case "event": name = String(decoding: value.prefix(100), as: UTF8.self)
        case "data":
            if hasData { data.append(UInt8(ascii: "\n")) }
            data += value
            hasData = true
        case "id" where !value.contains(0) && value.count <= 200:
            id = String(decoding: value, as: UTF8.self)
        // `retry` is a hint for browsers; a colon begins a comment.
        default: break
        }
        return nil
    }
}
