import Glibc
import HTTPServer
import Synchronization

/// A handler for the tests; `/echo` repeats the request.
final class TestHandler: HTTPHandler {
    let streams = Mutex<[HTTPStream]>([])
    private let slowRequests = AsyncStream<Void>.makeStream()
    private let goneAnswers = AsyncStream<Void>.makeStream()
    let folder: String

    init(folder: String = "/nowhere") { self.folder = folder }

    func admit(_ head: HTTPRequestHead) -> HTTPAdmission {
        switch head.path.first {
        case "refuse": .refused(HTTPResponse(status: 403, type: "text/plain", text: "no"))
        case "file": .file(path: folder + "/upload", limit: 1 << 20)
        default: .memory(limit: 1000)
        }
    }

    func answerAtOnce(_ head: HTTPRequestHead) -> HTTPResponse? {
        head.path.first == "now"
            ? HTTPResponse(status: 200, type: "text/plain", text: "now") : nil
    }

    func respond(to request: HTTPRequest) async -> HTTPResponse {
        switch request.head.path.first {
        case "echo":
            var text =
                "\(request.head.method) \(request.head.path) \(request.head.query.map { "\($0.name)=\($0.value)" })"
            text += " \(request.head.header("X-Test") ?? "-") \(request.head.peer) "
            if case .bytes(let bytes) = request.body {
                text += String(decoding: bytes, as: UTF8.self)
            }
            return HTTPResponse(status: 200, type: "text/plain", text: text)
        case "file":
            guard case .file(let path, let count) = request.body else {
                return HTTPResponse(status: 500)
            }
            defer { unlink(path) }
            guard let (descriptor, status) = HTTPFile.open(path), status.st_size == count else {
                return HTTPResponse(status: 500)
            }
            return HTTPResponse(
                status: 200,
                body: .file(HTTPFile(descriptor: descriptor, offset: 3, count: count - 3)))
        case "stream":
            let stream = HTTPStream(limit: 1 << 16)
            streams.withLock { $0.append(stream) }
            return HTTPResponse(status: 200, body: .stream(stream))
        case "inject":
            return HTTPResponse(
                status: 200, headers: [("X-Bad", "a\r\nX-Smuggled: b"), ("X-Good", "c")])
        case "gone":
            var response = HTTPResponse(status: 200, type: "text/plain", text: "gone")
            response.whenGone = { [goneAnswers] in goneAnswers.continuation.yield() }
            return response
        case "slow":
            slowRequests.continuation.yield()
            try? await Task.sleep(for: .milliseconds(300))
            return HTTPResponse(status: 200, type: "text/plain", text: "late")
        default: return HTTPResponse(status: 404)
        }
    }

    /// Waits until an answer that reports its end has been sent.
    func goneAnswer() async {
        for await _ in goneAnswers.stream { return }
    }

    /// Waits until a slow request is being answered.
    func slowRequest() async {
        for await _ in slowRequests.stream { return }
    }

    /// The stream with that number.
    ///
    /// Waits until it exists.
    func stream(_ index: Int = 0) async -> HTTPStream {
        while true {
            if let stream = streams.withLock({ $0.count > index ? $0[index] : nil }) {
                return stream
            }
            try? await Task.sleep(for: .milliseconds(2))
        }
    }
}

extension HTTPLimits {
    /// Time limits that no test reaches, even on a machine that delays a peer between two pieces.
    static var patient: HTTPLimits {
        var limits = HTTPLimits()
        (limits.idle, limits.head, limits.body) = (900, 900, 900)
        return limits
    }
}
