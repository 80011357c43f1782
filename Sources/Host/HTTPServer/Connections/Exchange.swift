import Glibc
import Synchronization

/// One request and its answer, from the first line to the last byte.
///
/// `@unchecked Sendable`: the server's thread for the connection uses everything; only the
/// handler's task writes `answer`, under its lock, while the connection sleeps.
final class Exchange: @unchecked Sendable {
    /// The stage of the exchange.
    enum Stage {
        case fresh, receiving, handled
    }

    let record: ConnectionRecord
    let answer = Mutex<HTTPResponse?>(nil)
    private(set) var stage = Stage.fresh
    private(set) var head: HTTPRequestHead?
    /// True once the handler was called; the connection then sleeps until the answer.
    var hasSlept = false
    private var limit = 0
    private var bytes: [UInt8] = []
    private var file: (path: String, descriptor: CInt)?
    private var grow: @Sendable (Int) -> Bool = { _ in true }
    /// Called if the body does not arrive completely; nil once the body is complete or discarded.
    private var drop: (@Sendable () -> Void)?
    private var count = 0
    /// The length of the body, as the head announces it; nil if it does not.
    private var announced: Int?
    /// The bytes of the body in memory.
    private var held = 0
    /// The limit on all bodies in memory together.
    private let memory: ByteBudget

    init(_ record: ConnectionRecord, memory: ByteBudget) {
        self.record = record
        self.memory = memory
    }

    /// Handles the head, with the handler's decision about the body.
    ///
    /// - Returns: an answer to send before the body; nil when the body may arrive.
    func begin(_ head: HTTPRequestHead, _ admission: HTTPAdmission) -> HTTPResponse? {
        stage = .receiving
        self.head = head
        announced = head.header("Content-Length").flatMap { Int($0) }.map { max(0, $0) }
        switch admission {
        case .refused(let response): return response
        case .memory(let limit): self.limit = limit
        case .file(let path, let limit, let grow, let drop):
            self.limit = limit
            (self.grow, self.drop) = (grow, drop)
            let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { return Problems.noRoom(at: path, needed: announced ?? 0) }
            file = (path, descriptor)
        }
        guard let announced else { return nil }
        guard announced <= limit else { return Problems.tooLarge(limit) }
        return file == nil && !memory.hasRoom(for: announced) ? Problems.tooBusy : nil
    }

    /// Handles a part of the body.
    ///
    /// - Returns: the connection's last answer when the body is larger than allowed, or there is no
    ///   room for it; otherwise nil.
    func take(_ part: UnsafeRawBufferPointer) -> HTTPResponse? {
        guard part.count <= limit - count else { return Problems.tooLarge(limit) }
        guard let file else {
            guard memory.take(part.count) else { return Problems.tooBusy }
            held += part.count
            count += part.count
            bytes.append(contentsOf: part)
            return nil
        }
        guard grow(part.count) else { return Problems.noRoom }
        count += part.count
        var rest = part[...]
        while !rest.isEmpty {
            let written = write(
                file.descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if written < 0 && errno == EINTR { continue }
            guard written > 0 else {
                let needed = max(rest.count, (announced ?? 0) - count + rest.count)
                return Problems.noRoom(at: file.path, needed: needed)
            }
            rest = rest.dropFirst(written)
        }
        return nil
    }

    /// The time limit for the body, in seconds from the request's start; it grows with the bytes
    /// that have arrived.
    func allowance(_ limits: HTTPLimits) -> Int {
        limits.head + limits.body + count / limits.bodyRate
    }

    /// The complete request, whose body now belongs to the handler.
    func finish() -> HTTPRequest? {
        stage = .handled
        record.received()
        guard let head else { return nil }
        guard let file else { return HTTPRequest(head: head, body: .bytes(bytes)) }
        close(file.descriptor)
        self.file = nil
        drop = nil
        return HTTPRequest(head: head, body: .file(path: file.path, count: count))
    }

    deinit {
        // An incomplete body is discarded.
        if let file {
            close(file.descriptor)
            unlink(file.path)
        }
        drop?()
        memory.release(held)
    }
}
