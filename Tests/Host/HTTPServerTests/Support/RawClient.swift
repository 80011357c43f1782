import Dispatch
import Glibc

/// A peer that sends exactly the bytes from a test over its own socket.
///
/// The client's blocking calls run on a separate thread, because the tasks that answer share the
/// tests' pool. `@unchecked Sendable`: one task may send while another reads; only reading keeps
/// state.
final class RawClient: @unchecked Sendable {
    private let socket: CInt
    private var unread: [UInt8] = []

    /// A connection to a port of this machine, from an address of this machine.
    init(port: UInt16, from address: String? = nil) {
        socket = connectedSocket(to: port, from: address)
    }

    deinit { close(socket) }

    /// Runs a blocking call outside of the pool of the tasks.
    private func blocking<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { done in
            DispatchQueue(label: "raw-client").async { done.resume(returning: body()) }
        }
    }

    /// Sends bytes to the server.
    ///
    /// If the server has closed the connection, it accepts none.
    func send(_ bytes: [UInt8]) async {
        await blocking { [socket] in
            var rest = bytes[...]
            while !rest.isEmpty {
                let sent = rest.withUnsafeBytes {
                    Glibc.send(socket, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL))
                }
                guard sent > 0 else { return }
                rest = rest.dropFirst(sent)
            }
        }
    }

    func send(_ text: String) async { await send(Array(text.utf8)) }

    /// Announces that no more bytes will be sent.
    func finishSending() { shutdown(socket, CInt(SHUT_WR)) }

    /// Closes the connection with a reset.
    func reset() {
        var now = linger(l_onoff: 1, l_linger: 0)
        setsockopt(socket, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
        shutdown(socket, CInt(SHUT_RDWR))
    }

    private func fill() async -> Bool {
        let bytes = await blocking { [socket] in
            var chunk = [UInt8](repeating: 0, count: 1 << 16)
            let count = recv(socket, &chunk, chunk.count, 0)
            return Array(chunk.prefix(max(0, count)))
        }
        unread += bytes
        return !bytes.isEmpty
    }

    /// The next line without its end; nil at the end of the connection.
    func line() async -> String? {
        while true {
            if let end = unread.firstIndex(of: 10) {
                defer { unread.removeFirst(end + 1) }
                return String(decoding: unread[..<end].filter { $0 != 13 }, as: UTF8.self)
            }
            guard await fill() else { return nil }
        }
    }

    /// The next bytes; fewer at the end of the connection.
    func bytes(_ count: Int) async -> [UInt8] {
        while unread.count < count, await fill() {}
        defer { unread.removeFirst(min(count, unread.count)) }
        return Array(unread.prefix(count))
    }

    /// The remaining bytes until the end of the connection.
    func rest() async -> [UInt8] {
        while await fill() {}
        defer { unread = [] }
        return unread
    }

    /// An answer's status, headers (names in lower case) and body; nil when the connection ends
    /// before.
    struct Answer {
        var status: Int
        var headers: [String: String] = [:]
        var body: [UInt8] = []
        var text: String { String(decoding: body, as: UTF8.self) }
    }

    /// Reads an answer up to its body.
    func head() async -> Answer? {
        guard let first = await line(), first.hasPrefix("HTTP/1."),
            let status = Int(first.dropFirst(9).prefix(3))
        else { return nil }
        var answer = Answer(status: status)
        while let line = await line(), !line.isEmpty {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            answer.headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
        }
        return answer
    }

    /// Reads an answer with a body of known length.
    func answer(hasBody: Bool = true) async -> Answer? {
        guard var answer = await head() else { return nil }
        if hasBody, let count = answer.headers["content-length"].flatMap({ Int($0) }) {
            answer.body = await bytes(count)
        }
        return answer
    }

    /// The next chunk of a chunked answer; empty at its end, nil when the connection ends.
    func chunk() async -> [UInt8]? {
        guard let count = (await line()).flatMap({ Int($0, radix: 16) }) else { return nil }
        let data = await bytes(count)
        _ = await line()
        return data.count == count ? data : nil
    }

    /// Sends a request and reads its answer.
    func ask(_ method: String, _ target: String, headers: [String] = [], body: [UInt8]? = nil)
        async -> Answer?
    {
        var text = "\(method) \(target) HTTP/1.1\r\nHost: test\r\n"
        for header in headers { text += header + "\r\n" }
        if let body { text += "Content-Length: \(body.count)\r\n" }
        await send(Array((text + "\r\n").utf8) + (body ?? []))
        return await answer(hasBody: method != "HEAD")
    }
}

/// A socket that is connected to a port of 127.0.0.1.
///
/// A server that never answers makes a test fail instead of stopping the run.
func connectedSocket(to port: UInt16, from address: String? = nil) -> CInt {
    let socket = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
    var patience = timeval(tv_sec: 600, tv_usec: 0)
    setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    func withPlace(
        _ address: String, _ port: UInt16, _ body: (UnsafePointer<sockaddr>, socklen_t) -> CInt
    ) {
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = port.bigEndian
        place.sin_addr.s_addr = inet_addr(address)
        withUnsafePointer(to: &place) { place in
            place.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }
    if let address { withPlace(address, 0) { bind(socket, $0, $1) } }
    withPlace("127.0.0.1", port) { connect(socket, $0, $1) }
    return socket
}
