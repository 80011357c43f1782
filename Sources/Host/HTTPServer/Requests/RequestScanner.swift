import Glibc

/// Follows the bytes from a connection, and finds where each request ends, strictly by RFC 9112.
///
/// Everything that two programs could read differently is refused: a proxy and this server must
/// never see different requests in the same bytes. The bytes may arrive in pieces of any size.
struct RequestScanner {
    /// A mistake in a request.
    struct Fault: Error, Equatable {
        /// The mistake, and what to do; without quotation marks, because it becomes part of a JSON
        /// text.
        let words: String
        /// 400, or 431 for a head that is too long.
        var status = 400

        init(_ words: String, status: Int = 400) {
            self.words = words
            self.status = status
        }
    }

    /// The part of a request that is expected next.
    private enum Phase {
        case requestLine, header, trailer, chunkSize, chunkEnd
        /// This many bytes of a body, then `chunkEnd` or the next request.
        case data(UInt64, isChunk: Bool)
    }

    private var phase = Phase.requestLine
    private var head = RequestFraming()
    /// The beginning of a line whose end has not arrived yet.
    private var begun: [UInt8] = []
    /// The bytes in this request's lines so far.
    private var size = 0
    private let limit: Int

    /// A scanner for a new connection.
    ///
    /// - Parameter limit: the maximum size of the lines of a request in bytes.
    init(limit: Int) { self.limit = limit }

    /// Checks the next bytes.
    ///
    /// - Returns: the number of bytes before the faulty request; all bytes when there is no fault.
    mutating func scan(_ bytes: UnsafeRawBufferPointer) -> (sound: Int, fault: Fault?) {
        var position = 0
        /// The beginning of the request with the byte at `position`; 0 for a request that began
        /// earlier.
        var beginning = 0
        do {
            while position < bytes.count {
                if case .data(let left, let isChunk) = phase {
                    let count = min(left, UInt64(bytes.count - position))
                    position += Int(count)
                    guard count == left else {
                        phase = .data(left - count, isChunk: isChunk)
                        break
                    }
                    phase = isChunk ? .chunkEnd : .requestLine
                } else {
                    position = try takeLine(of: bytes, from: position)
                }
                if case .requestLine = phase, begun.isEmpty {
                    beginning = position
                    size = 0
                }
            }
        } catch {
            return (beginning, error)
        }
        return (bytes.count, nil)
    }

    /// Handles a line, or the part that has arrived; returns the position after it.
    private mutating func takeLine(
        of bytes: UnsafeRawBufferPointer, from position: Int
    ) throws(Fault) -> Int {
        let rest = UnsafeRawBufferPointer(rebasing: bytes[position...])
        let length = Self.first(10, in: rest, before: rest.count).map { $0 + 1 } ?? rest.count
        size += length
        guard size <= limit else {
            throw Fault("The lines of the request have more than \(limit) bytes.", status: 431)
        }
        let line = UnsafeRawBufferPointer(rebasing: rest[..<length])
        // A carriage return ends a line only if a line feed follows.
        let hasBareReturn =
            (begun.last == 13 && line[0] != 10)
            || Self.first(13, in: line, before: length - 1).map {
                $0 != length - 2 || line[length - 1] != 10
            } == true
        guard !hasBareReturn else {
            throw Fault("A line of the request has a carriage return that is not its end.")
        }
        guard line[length - 1] == 10 else {
            begun.append(contentsOf: line)
            return position + length
        }
        if begun.isEmpty {
            try take(line)
        } else {
            var whole = begun
            begun = []
            whole.append(contentsOf: line)
            let result = whole.withUnsafeBytes { whole in
                Result { () throws(Fault) in try take(whole) }
            }
            try result.get()
        }
        return position + length
    }

    /// Handles a complete line with its end.
    private mutating func take(_ line: UnsafeRawBufferPointer) throws(Fault) {
        guard line.count >= 2, line[line.count - 2] == 13 else {
            throw Fault("A line of the request ends with only a line feed.")
        }
        let text = UnsafeRawBufferPointer(rebasing: line.dropLast(2))
        switch phase {
        case .requestLine:
            head = try RequestFraming(requestLine: text)
            phase = .header
        case .header where !text.isEmpty: try head.take(header: text)
        case .header:
            phase =
                switch try head.body() {
                case .none: .requestLine
                case .bytes(let count): .data(count, isChunk: false)
                case .chunks: .chunkSize
                }
        case .chunkSize:
            let count = try RequestFraming.chunkSize(text)
            phase = count == 0 ? .trailer : .data(count, isChunk: true)
            size = 0
        case .chunkEnd:
            guard text.isEmpty else { throw Fault("A chunk of the body exceeds its stated size.") }
            phase = .chunkSize
        case .trailer where !text.isEmpty: try RequestFraming.check(trailer: text)
        case .trailer: phase = .requestLine
        case .data: break
        }
    }

    /// The first position of a byte (`memchr`); nil if it does not occur before `end`.
    private static func first(
        _ byte: CInt, in bytes: UnsafeRawBufferPointer, before end: Int
    ) -> Int? {
        guard let start = bytes.baseAddress else { return nil }
        return memchr(start, byte, end).map { UnsafeRawPointer($0) - start }
    }
}
