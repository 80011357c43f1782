import Glibc
import Synchronization

/// One request and its answer, from the first line to the last byte.
///
/// Used by the server's thread that has the connection; only the answer comes from elsewhere, and
/// that is why this is `@unchecked Sendable`: the handler's task writes `answer`, under its lock,
/// while the connection is asleep, and touches nothing else.
final class Exchange: @unchecked Sendable {
    /// How far the exchange is.
    enum Stage {
        case fresh, receiving, handled
    }

    let record: ConnectionRecord
    let answer = Mutex<HTTPResponse?>(nil)
    private(set) var stage = Stage.fresh
    private(set) var head: HTTPRequestHead?
    /// True once the handler was asked; the connection then sleeps until the answer.
    var hasSlept = false
    private var limit = 0
    private var bytes: [UInt8] = []
    private var file: (path: String, descriptor: CInt)?
    private var grow: @Sendable (Int) -> Bool = { _ in true }
    /// Called when the body does not arrive in full; nil once that is settled.
    private var drop: (@Sendable () -> Void)?
    private var count = 0
    /// Bytes of the body in memory.
    private var held = 0
    /// What all bodies in memory may take together.
    private let memory: ByteBudget

    init(_ record: ConnectionRecord, memory: ByteBudget) {
        self.record = record
        self.memory = memory
    }

    /// Takes the head, and the handler's decision about the body.
    ///
    /// - Returns: an answer that is due before the body; nil when the body may come.
    func begin(_ head: HTTPRequestHead, _ admission: HTTPAdmission) -> HTTPResponse? {
        stage = .receiving
        self.head = head
        switch admission {
        case .refused(let response): return response
        case .memory(let limit): self.limit = limit
        case .file(let path, let limit, let grow, let drop):
            self.limit = limit
            (self.grow, self.drop) = (grow, drop)
            let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
            guard descriptor >= 0 else { return Problems.noRoom }
            file = (path, descriptor)
        }
        guard let announced = head.header("Content-Length").flatMap({ Int($0) }) else { return nil }
        guard announced <= limit else { return Problems.tooLarge(limit) }
        return file == nil && !memory.hasRoom(for: announced) ? Problems.tooBusy : nil
    }

    /// Takes a part of the body.
    ///
    /// - Returns: the last answer of the connection when more comes than was allowed or there is no
    ///   room for it; else nil.
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
            guard written > 0 else { return Problems.noRoom }
            rest = rest.dropFirst(written)
        }
        return nil
    }

    /// The seconds that the body may take from the request's start, given how much has arrived.
    func allowance(_ limits: HTTPLimits) -> Int {
        limits.head + limits.body + count / limits.bodyRate
    }

    /// The whole request, whose body now belongs to the handler.
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
        // A body that did not arrive in full is discarded.
        if let file {
            close(file.descriptor)
            unlink(file.path)
        }
        drop?()
        memory.give(held)
    }
}
