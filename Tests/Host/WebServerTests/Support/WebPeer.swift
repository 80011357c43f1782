import Dispatch
import Glibc

/// A client that talks to a server over a connection of its own, as slowly as a test needs.
///
/// Its blocking calls run on a thread of their own. `@unchecked Sendable`: one task uses it.
final class WebPeer: @unchecked Sendable {
    /// An answer to a request.
    struct Answer: Sendable {
        var status = 0
        var head = ""
        var body = ""

        /// The cookie that the answer sets, without its attributes.
        var cookie: String? {
            head.split(separator: "\r\n").first { $0.hasPrefix("Set-Cookie: ") }?
                .dropFirst("Set-Cookie: ".count).split(separator: ";").first.map(String.init)
        }

        /// The number of bytes that the head announces.
        var length: Int {
            head.split(separator: "\r\n").first { $0.hasPrefix("Content-Length: ") }
                .flatMap { Int($0.dropFirst("Content-Length: ".count)) } ?? 0
        }
    }

    private let socket: CInt
    private let queue = DispatchQueue(label: "web-peer")
    private var unread: [UInt8] = []

    init(_ port: UInt16) {
        socket = Glibc.socket(AF_INET, CInt(SOCK_STREAM.rawValue), 0)
        // Little is on its way unread.
        var size: CInt = 4096
        setsockopt(socket, SOL_SOCKET, SO_RCVBUF, &size, socklen_t(MemoryLayout<CInt>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                _ = connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    deinit { close(socket) }

    /// Sends a request, and reads the head of its answer.
    func begin(
        _ method: String, _ path: String, cookie: String? = nil, token: String? = nil,
        body: String? = nil, more: [String] = []
    ) async -> Answer {
        var lines = ["\(method) \(path) HTTP/1.1", "Host: localhost"] + more
        if let cookie { lines.append("Cookie: \(cookie)") }
        if let token { lines.append("Authorization: Bearer \(token)") }
        if let body {
            lines += ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"]
        }
        let request = Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? "")).utf8)
        return await blocking { [self] in
            _ = Glibc.send(socket, request, request.count, CInt(MSG_NOSIGNAL))
            while unread.firstRange(of: Array("\r\n\r\n".utf8)) == nil, fill() {}
            let end = unread.firstRange(of: Array("\r\n\r\n".utf8))?.upperBound ?? unread.count
            var answer = Answer(head: String(decoding: unread[..<end], as: UTF8.self))
            unread.removeFirst(end)
            answer.status = Int(answer.head.dropFirst(9).prefix(3)) ?? 0
            return answer
        }
    }

    /// The answer to a request, with its whole body.
    func answer(
        _ method: String, _ path: String, cookie: String? = nil, token: String? = nil,
        body: String? = nil
    ) async -> Answer {
        var answer = await begin(method, path, cookie: cookie, token: token, body: body)
        let length = answer.length
        answer.body = await blocking { [self] in
            while unread.count < length, fill() {}
            return String(decoding: unread, as: UTF8.self)
        }
        return answer
    }

    /// The number of bytes until the connection ends.
    func rest() async -> Int {
        await blocking { [self] in
            while fill() {}
            return unread.count
        }
    }

    /// Waits for at least this many bytes.
    func wait(for count: Int) async {
        await blocking { [self] in while unread.count < count, fill() {} }
    }

    private func fill() -> Bool {
        var chunk = [UInt8](repeating: 0, count: 1 << 16)
        let count = recv(socket, &chunk, chunk.count, 0)
        unread += chunk.prefix(max(0, count))
        return count > 0
    }

    private func blocking<Value: Sendable>(_ body: @escaping @Sendable () -> Value) async -> Value {
        await withCheckedContinuation { done in queue.async { done.resume(returning: body()) } }
    }
}
