import CaptureKit
import Glibc
import Processes
import Recognition
import Synchronization

/// A reader's process and the host's connection to it.
///
/// Only one exchange runs at a time; only ``kill()`` may be called from another thread meanwhile,
/// which ends the exchange. `@unchecked Sendable`: only the running exchange uses `reader` and
/// `requests`.
final class HelperProcess: @unchecked Sendable {
    /// The maximum number of lines in an answer: more than any page has.
    private static let mostLines = 100_000
    /// The maximum size of an answer's lines in bytes: some 200,000 words.
    private static let mostBytes = 32 << 20

    private let socket: OwnedDescriptor
    private let process: ChildProcess
    private let log: ProcessLog
    private let writer: WireWriter
    private let reader: WireReader
    private let clock: any Clock<Duration>
    private let isLate = Mutex(false)
    private var requests = 0

    /// A reader's messages for one request.
    struct Answer {
        /// The lines of text before the answer.
        var lines: [ReaderWire.Line] = []
        var message: WireLine
    }

    /// Starts a helper; deadlines are measured with `clock`.
    init(_ command: HelperCommand, clock: any Clock<Duration>) throws(HelperFailure) {
        let theirs: OwnedDescriptor
        do throws(WireError) {
            (socket, theirs) = try OwnedDescriptor.socketPair()
        } catch {
            throw .notStarted(error.message)
        }
        let log = ProcessLog { _, _ in }
        do throws(ChildProcess.SpawnFailure) {
            process = try ChildProcess(
                program: command.program, confinement: command.confinement, socket: theirs
            ) { log.add($0) }
        } catch {
            throw .notStarted(error.message)
        }
        self.log = log
        self.clock = clock
        writer = WireWriter(socket: socket, timeout: 30)
        reader = WireReader(socket: socket, acceptsDescriptors: false)
    }

    deinit { end() }

    /// Ends the process and waits until it is gone.
    func end() {
        kill()
        _ = process.waitForEnd(.seconds(5))
    }

    /// Ends the process immediately; may be called from any thread, and more than once.
    func kill() {
        process.signal(SIGKILL)
        shutdown(socket.raw, Int32(SHUT_RDWR))
    }

    /// Sends a request with the descriptor of its picture, and waits for the answer.
    func exchange(
        _ verb: ReaderVerb, _ body: some Encodable, picture: OwnedDescriptor? = nil,
        within limit: Duration
    ) throws(HelperFailure) -> Answer {
        isLate.withLock { $0 = false }
        let watchdog = Task { [clock] in
            try await clock.sleep(for: limit)
            isLate.withLock { $0 = true }
            kill()
        }
        defer { watchdog.cancel() }
        do throws(WireError) {
            requests += 1
            var header = WireHeader(request: requests, fd: picture == nil ? nil : true)
            header.verb = verb.rawValue
            // An earlier reader of the descriptor may have moved its position in the file.
            if let picture { lseek(picture.raw, 0, SEEK_SET) }
            try writer.send(header, body, descriptor: picture)
            return try readAnswer()
        } catch {
            if isLate.withLock({ $0 }) { throw .tookTooLong(limit.milliseconds) }
            switch error.code {
            case .cutOff, .inputOutput: throw failureAtEnd()
            default: throw .nonsense("a message that \(error.message)")
            }
        }
    }

    /// Reads lines of text until the answer arrives.
    private func readAnswer() throws(WireError) -> Answer {
        var lines: [ReaderWire.Line] = []
        var bytes = 0
        while let message = try reader.next() {
            if message.header.answer == requests { return Answer(lines: lines, message: message) }
            guard message.header.event == ReaderEvent.line.rawValue else {
                // Events from later versions are ignored, as in the capture protocol.
                if message.header.event != nil { continue }
                throw WireError(
                    .malformed, "answers request \(message.header.answer ?? 0), not \(requests)")
            }
            let line = try message.decode(ReaderWire.Line.self)
            guard line.reading == requests else {
                throw WireError(
                    .malformed, "has a line of reading \(line.reading), not \(requests)")
            }
            guard lines.count < Self.mostLines else {
                throw WireError(.malformed, "has more than \(Self.mostLines) lines of text")
            }
            bytes += message.json.count
            guard bytes <= Self.mostBytes else {
                throw WireError(.malformed, "has more than \(Self.mostBytes) bytes of text")
            }
            lines.append(line)
        }
        throw WireError(.cutOff, "the connection ended")
    }

    private func failureAtEnd() -> HelperFailure {
        // The socket closes a moment before the process can be reaped.
        let end = process.waitForEnd(.milliseconds(500))
        if end == nil { self.end() }
        return .ended(end, lastWords: log.lastWords)
    }
}
