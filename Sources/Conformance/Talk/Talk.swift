import CaptureHost
import CaptureKit
import FoundationEssentials
import Glibc
import Synchronization

/// A conversation with a process of the backend, message by message; every call blocks.
///
/// It hides nothing: what is sent may be as wrong as a check wants it, and every answer and event can be looked at.
final class Talk {
    let process: BackendProcess
    let deadlines: Deadlines
    private var socket: OwnedDescriptor?
    private var buffer: [UInt8] = []
    private var start = 0
    private var lastRequest = 0
    private var answers: [Int: [Message]] = [:]
    private var events: [Message] = []

    /// A message that came in, with what is needed of its raw bytes.
    struct Message {
        let line: WireLine
        let bytes: Int
        /// The first two raw bytes, by which a JPEG picture is known.
        let head: [UInt8]
    }

    init(program: String, deadlines: Deadlines) throws {
        let (ours, theirs) = try OwnedDescriptor.socketPair()
        self.deadlines = deadlines
        socket = ours
        var time = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(ours.raw, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        let box = OutputBox()
        do throws(BackendProcess.SpawnFailure) {
            process = try BackendProcess(program: program, socket: theirs) { box.add($0) }
        } catch {
            throw CheckFailure("a program that can be started", came: error.message)
        }
        outputBox = box
    }

    private let outputBox: OutputBox
    /// What the program wrote to its output so far.
    var written: [String] { outputBox.lines }

    // MARK: Sending

    /// Sends bytes as they are; false when the program no longer takes them.
    @discardableResult
    func send(raw bytes: [UInt8]) -> Bool {
        guard let socket else { return false }
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { piece in
                retryingInterrupts {
                    Glibc.send(socket.raw, piece.baseAddress, piece.count, Int32(MSG_NOSIGNAL))
                }
            }
            guard count > 0 else { return false }
            rest = rest.dropFirst(count)
        }
        return true
    }

    /// Sends a line of JSON as it is.
    @discardableResult
    func send(_ line: String) -> Bool { send(raw: Array(line.utf8) + [10]) }

    /// Sends a request and tells its number.
    func ask(_ verb: Verb, _ body: some Encodable = Wire.Empty()) throws -> Int {
        let number = nextNumber()
        let line = try WireWriter.line(
            WireMessage(WireHeader(request: number, verb: verb), body))
        send(raw: Array(line))
        return number
    }

    /// Sends an event.
    func tell(_ event: EventName, _ body: some Encodable, error: CaptureError? = nil) throws {
        send(
            raw: Array(
                try WireWriter.line(WireMessage(WireHeader(event: event, error: error), body))))
    }

    /// Sends `buffer` with a file.
    func give(_ body: Wire.Buffer, file: OwnedDescriptor) throws {
        guard let socket else { return }
        let line = try WireWriter.line(
            WireMessage(WireHeader(event: .buffer, fd: true), body))
        sendDescriptor(socket.raw, Array(line), file.raw)
    }

    /// A number for a request that a check writes by itself.
    func nextNumber() -> Int {
        lastRequest += 1
        return lastRequest
    }

    /// Closes the connection, as a host does that goes.
    func hangUp() { socket = nil }

    // MARK: Receiving

    /// The answer to a request.
    func answer(_ number: Int, _ what: String, within: Duration) throws -> Message {
        let deadline = ContinuousClock.now + within
        while true {
            if let first = answers[number]?.first {
                answers[number]?.removeFirst()
                return first
            }
            guard let message = try next(until: deadline) else {
                throw CheckFailure("an answer to \(what)", came: "\(silence) within \(within)")
            }
            store(message)
        }
    }

    /// The next event of a capture, or nil once its request is answered.
    func event(of capture: Int, within: Duration) throws -> Message? {
        let deadline = ContinuousClock.now + within
        while true {
            if let index = events.firstIndex(where: { Talk.capture(of: $0) == capture }) {
                return events.remove(at: index)
            }
            if answers[capture]?.isEmpty == false { return nil }
            guard let message = try next(until: deadline) else {
                throw CheckFailure(
                    "a frame, pixels or the end of the capture", came: "\(silence) within \(within)"
                )
            }
            store(message)
        }
    }

    /// Everything that comes within a time, kept for later; true when an event of the capture came.
    func listen(for time: Duration, capture: Int? = nil) throws -> Bool {
        let deadline = ContinuousClock.now + time
        while let message = try next(until: deadline) { store(message) }
        return events.contains { Talk.capture(of: $0) == capture }
    }

    /// How many answers to a request have come and were not taken.
    func answersLeft(to number: Int) -> Int { answers[number]?.count ?? 0 }

    private func store(_ message: Message) {
        if let number = message.line.header.answer {
            answers[number, default: []].append(message)
        } else {
            events.append(message)
            // Nobody looks at events of no capture, such as those of hot plug; a flood must not fill the memory.
            if events.count > 20_000 { events.removeFirst(10_000) }
        }
    }

    private var silence: String {
        process.end.map { "the program ended \($0.words)" } ?? "nothing"
    }

    private static func capture(of message: Message) -> Int? {
        try? message.line.decode(Wire.FrameReference.self).capture
    }

    /// The next message; nil when none came in time.
    private func next(until deadline: ContinuousClock.Instant) throws -> Message? {
        var end: Int?
        var from = start
        while true {
            end = buffer[from...].firstIndex(of: 10)
            if end != nil { break }
            guard buffer.count - start <= WireLimits.line else {
                throw CheckFailure("lines of at most 1 MiB", came: "a longer one")
            }
            from = buffer.count
            let left = start
            guard try fill(until: deadline) else { return nil }
            // Filling may have moved what is there to the front.
            from -= left - start
        }
        guard let end else { return nil }
        let text = Data(buffer[start..<end])
        start = end + 1
        let line: WireLine
        do throws(WireError) {
            line = try WireLine(text)
        } catch {
            throw CheckFailure("a line of JSON as the protocol has it", came: error.message)
        }
        let count = line.header.bytes ?? 0
        var head: [UInt8] = []
        var rest = count
        while rest > 0 {
            if start == buffer.count, try !fill(until: max(deadline, .now + .seconds(10))) {
                throw CheckFailure("\(count) raw bytes after a line", came: "\(count - rest)")
            }
            let piece = min(rest, buffer.count - start)
            if head.count < 2 { head += buffer[start..<start + min(piece, 2 - head.count)] }
            start += piece
            rest -= piece
        }
        return Message(line: line, bytes: count, head: head)
    }

    /// Waits for more; false when nothing came in time.
    private func fill(until deadline: ContinuousClock.Instant) throws -> Bool {
        guard let socket else { return false }
        let left = max(.zero, deadline - .now)
        let milliseconds = Int32(
            clamping: left.components.seconds * 1000
                + left.components.attoseconds / 1_000_000_000_000_000 + 1)
        var waiting = pollfd(fd: socket.raw, events: Int16(POLLIN), revents: 0)
        guard retryingInterrupts({ poll(&waiting, 1, milliseconds) }) > 0 else { return false }
        buffer.removeFirst(start)
        start = 0
        let room = 256 << 10
        let before = buffer.count
        buffer.append(contentsOf: repeatElement(0, count: room))
        let count = buffer.withUnsafeMutableBytes { bytes in
            retryingInterrupts {
                recv(socket.raw, bytes.baseAddress?.advanced(by: before), room, 0)
            }
        }
        buffer.removeLast(room - max(0, count))
        guard count > 0 else {
            let end = process.waitForEnd(.seconds(2))
            throw CheckFailure(
                "a program that stays",
                came: end.map { "it ended \($0.words)\(lastWords)" } ?? "it closed the connection")
        }
        return true
    }

    private var lastWords: String {
        written.last { !$0.allSatisfy(\.isWhitespace) }.map {
            "; its last words: \($0.prefix(200))"
        }
            ?? ""
    }
}

/// Keeps what a program writes, at most 10,000 lines.
final class OutputBox: Sendable {
    private let state = Mutex<[String]>([])
    func add(_ line: String) {
        state.withLock { if $0.count < 10_000 { $0.append(line) } }
    }
    var lines: [String] { state.withLock { $0 } }
}

extension ProcessEnd {
    /// How it ended, for the end of a sentence.
    var words: String {
        switch self {
        case .status(let status): "with status \(status)"
        case .signal(let number): "by signal \(number)"
        }
    }
}
