/// Finds the end of a request from its head (RFC 9112, 2 to 7).
struct RequestFraming {
    typealias Fault = RequestScanner.Fault

    /// The kind of body after a head.
    enum Body: Equatable {
        case none
        case bytes(UInt64)
        case chunks
    }

    private var isOld = false
    private var hosts = 0
    private var length: UInt64?
    private var isChunked = false

    init() {}

    /// Reads a request line: method, target and version, with one space between them.
    init(requestLine line: UnsafeRawBufferPointer) throws(Fault) {
        guard let first = line.firstIndex(of: 32), let last = line.lastIndex(of: 32),
            first > 0, last > first + 1, line[..<first].allSatisfy(Self.isTokenByte),
            line[(first + 1)..<last].allSatisfy({ $0 > 32 && $0 != 127 })
        else {
            throw Fault("The first line is not a method, a target and a version of HTTP.")
        }
        switch line[(last + 1)...] {
        case let version where version.elementsEqual("HTTP/1.1".utf8): break
        case let version where version.elementsEqual("HTTP/1.0".utf8): isOld = true
        default: throw Fault("The version is neither HTTP/1.1 nor HTTP/1.0.")
        }
    }

    /// Reads a header's line.
    mutating func take(header line: UnsafeRawBufferPointer) throws(Fault) {
        let (name, value) = try Self.parts(line)
        if Self.isSame(name, "host") {
            hosts += 1
            guard hosts == 1 else { throw Fault("Host was sent more than once.") }
        } else if Self.isSame(name, "content-length") {
            guard length == nil else { throw Fault("Content-Length was sent more than once.") }
            length = try Self.length(value)
        } else if Self.isSame(name, "transfer-encoding") {
            guard !isChunked else { throw Fault("Transfer-Encoding was sent more than once.") }
            guard Self.isSame(value, "chunked") else {
                throw Fault("Transfer-Encoding may be chunked, and nothing else.")
            }
            isChunked = true
        }
    }

    /// The kind of body, once the whole head has arrived.
    func body() throws(Fault) -> Body {
        guard isOld || hosts == 1 else { throw Fault("The request has no Host.") }
        guard isChunked else { return length.map { $0 == 0 ? .none : .bytes($0) } ?? .none }
        guard length == nil else {
            throw Fault("Content-Length and Transfer-Encoding were both sent.")
        }
        guard !isOld else { throw Fault("HTTP/1.0 has no Transfer-Encoding.") }
        return .chunks
    }

    /// Checks a line after the last chunk: a line that would change the meaning of the request is
    /// refused.
    static func check(trailer line: UnsafeRawBufferPointer) throws(Fault) {
        let (name, _) = try parts(line)
        for forbidden in ["host", "content-length", "transfer-encoding"]
        where isSame(name, forbidden) {
            throw Fault("A header that belongs before the body was sent after it.")
        }
    }

    /// The size of a chunk in bytes: hexadecimal digits and nothing else.
    ///
    /// Extensions are refused, because no one sends them and parsers disagree about where they end.
    static func chunkSize(_ line: UnsafeRawBufferPointer) throws(Fault) -> UInt64 {
        guard line.allSatisfy(isHexDigit),
            let size = UInt64(String(decoding: line, as: UTF8.self), radix: 16), size >> 62 == 0
        else { throw Fault("The size of a chunk is not a hexadecimal number, or is too large.") }
        return size
    }

    private static func length(_ value: Slice<UnsafeRawBufferPointer>) throws(Fault) -> UInt64 {
        guard !value.isEmpty, value.allSatisfy({ (48...57).contains($0) }),
            let length = UInt64(String(decoding: value, as: UTF8.self)), length >> 62 == 0
        else { throw Fault("Content-Length is not a number of bytes, or is too large.") }
        return length
    }

    /// A header's name, and its value without white space around it.
    private static func parts(
        _ line: UnsafeRawBufferPointer
    ) throws(Fault) -> (name: Slice<UnsafeRawBufferPointer>, value: Slice<UnsafeRawBufferPointer>) {
        guard line[0] != 32, line[0] != 9 else {
            throw Fault("A header continues on the next line. Send each on one line.")
        }
        guard let colon = line.firstIndex(of: 58), colon > 0,
            line[..<colon].allSatisfy(isTokenByte)
        else { throw Fault("A line of the head is not a name, a colon and a value.") }
        var value = line[(colon + 1)...]
        // Without a branch for each byte, the processor handles many bytes at once.
        let faults = UnsafeRawBufferPointer(rebasing: value).reduce(0 as UInt8) {
            $0 | ($1 < 32 && $1 != 9 ? 1 : 0) | ($1 == 127 ? 1 : 0)
        }
        guard faults == 0 else {
            throw Fault("The value of a header has a control character.")
        }
        while let byte = value.first, byte == 32 || byte == 9 { value.removeFirst() }
        while let byte = value.last, byte == 32 || byte == 9 { value.removeLast() }
        return (line[..<colon], value)
    }

    /// True if bytes equal a lowercase text, ignoring case.
    private static func isSame(_ bytes: Slice<UnsafeRawBufferPointer>, _ text: String) -> Bool {
        guard bytes.count == text.utf8.count else { return false }
        return zip(bytes, text.utf8).allSatisfy { byte, wanted in
            ((65...90).contains(byte) ? byte | 32 : byte) == wanted
        }
    }

    private static func isHexDigit(_ byte: UInt8) -> Bool {
        (48...57).contains(byte) || (97...102).contains(byte | 32)
    }

    /// True if a byte may be in a method or a header's name (RFC 9110, 5.6.2).
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        switch byte {
        case 48...57, 65...90, 97...122: true
        case 33, 35, 36, 37, 38, 39, 42, 43, 45, 46, 94, 95, 96, 124, 126: true
        default: false
        }
    }
}
