import CaptureHost
import CaptureKit
import Glibc
import Processes

/// A connection to a process of the backend, message by message; every call blocks.
///
/// Nothing is hidden: a check may send anything, however wrong, and sees every answer and event.
final class CheckConnection {
    let process: ChildProcess
    let deadlines: Deadlines
    private let box = OutputBox()
    private var reader: ConnectionReader?
    private var socket: OwnedDescriptor?
    private var lastRequest = 0
    /// The requests that were sent, except those that a check wrote itself.
    private(set) var asked: [(number: Int, verb: String)] = []
    private var answers: [Int: [ReceivedMessage]] = [:]
    private var answered: [Int: Int] = [:]
    private var events: [ReceivedMessage] = []
    /// Answers without a request.
    private(set) var unasked: [Int] = []
    /// Events that belong to no capture, such as changes of devices and lines of the log.
    private(set) var asides: [ReceivedMessage] = []

    init(program: String, confinement: Confinement, deadlines: Deadlines) throws {
        let (ours, theirs) = try OwnedDescriptor.socketPair()
        self.deadlines = deadlines
        socket = ours
        var time = timeval(tv_sec: 10, tv_usec: 0)
        setsockopt(ours.raw, SOL_SOCKET, SO_SNDTIMEO, &time, socklen_t(MemoryLayout<timeval>.size))
        do throws(ChildProcess.SpawnFailure) {
            process = try ChildProcess(
                program: program, confinement: confinement, socket: theirs
            ) { [box] in box.add($0) }
        } catch {
            throw CheckFailure("a program that can be started", came: error.message)
        }
        reader = ConnectionReader(ours, process, box)
    }

    /// The program's output so far.
    var written: [String] { box.lines }

    // MARK: Sending

    /// Sends bytes unchanged; false when the program no longer reads.
    @discardableResult
    func send(raw bytes: [UInt8]) -> Bool {
        guard let socket else { return false }
        return bytes.withUnsafeBytes { all in
            var rest = all[...]
            while !rest.isEmpty {
                let piece = UnsafeRawBufferPointer(rebasing: rest)
                let count = retryingInterrupts {
                    Glibc.send(socket.raw, piece.baseAddress, piece.count, Int32(MSG_NOSIGNAL))
                }
                guard count > 0 else { return false }
                rest = rest.dropFirst(count)
            }
            return true
        }
    }

    /// Sends a line of JSON unchanged.
    @discardableResult
    func send(_ line: String) -> Bool { send(raw: Array(line.utf8) + [10]) }

    /// The line of a new request, and its number.
    func line(_ verb: Verb, _ body: some Encodable = Wire.Empty()) throws -> (
        number: Int, bytes: [UInt8]
    ) {
        let number = nextNumber()
        asked.append((number, verb.rawValue))
        let header = WireHeader(request: number, verb: verb)
        return (number, Array(try WireWriter.line(WireMessage(header, body))))
    }

    /// Sends a request and returns its number.
    func ask(_ verb: Verb, _ body: some Encodable = Wire.Empty()) throws -> Int {
        let (number, bytes) = try line(verb, body)
        send(raw: bytes)
        return number
    }

    /// Sends an event.
    func sendEvent(_ event: EventName, _ body: some Encodable, error: CaptureError? = nil) throws {
        let header = WireHeader(event: event, error: error)
        send(raw: Array(try WireWriter.line(WireMessage(header, body))))
    }

    /// Sends `buffer` with a file, followed by more bytes.
    func give(_ body: Wire.Buffer, file: OwnedDescriptor, along more: [UInt8] = []) throws {
        guard let socket else { return }
        let header = WireHeader(event: .buffer, fd: true)
        sendDescriptor(
            socket.raw, Array(try WireWriter.line(WireMessage(header, body))) + more, file.raw)
    }

    /// Waits until the program has read everything that was sent, or ends; at most one second
    /// (`TIOCOUTQ`).
    ///
    /// Polls, because Linux does not report when the other side of a socket has read everything.
    func awaitReading() {
        guard let socket else { return }
        for _ in 0..<1_000 {
            var left: Int32 = 0
            guard ioctl(socket.raw, UInt(TIOCOUTQ), &left) == 0, left > 0 else { return }
            if process.waitForEnd(.milliseconds(1)) != nil { return }
        }
    }

    /// A number for a request that a check composes itself.
    func nextNumber() -> Int {
        lastRequest += 1
        return lastRequest
    }

    /// Closes the connection, as a host that goes away does.
    func hangUp() {
        socket = nil
        reader = nil
    }

    /// Closes the connection in one direction: the program can read nothing more, but can still
    /// send.
    func stopSending() {
        if let socket { shutdown(socket.raw, Int32(SHUT_WR)) }
    }

    // MARK: Receiving

    /// The answer to a request.
    func answer(_ number: Int, _ what: String, within: Duration) throws -> ReceivedMessage {
        let deadline = ContinuousClock.now + within
        while true {
            if let first = answers[number]?.first {
                answers[number]?.removeFirst()
                return first
            }
            guard let message = try reader?.next(until: deadline) else {
                throw CheckFailure("an answer to \(what)", came: silence(within))
            }
            store(message)
        }
    }

    /// The next event of a capture, or nil once its request is answered.
    func event(of capture: Int, within: Duration) throws -> ReceivedMessage? {
        let deadline = ContinuousClock.now + within
        while true {
            if let event = takeEvent(of: capture) { return event }
            if answers[capture]?.isEmpty == false { return nil }
            guard let message = try reader?.next(until: deadline) else {
                throw CheckFailure(
                    "a frame, pixels or the end of the capture", came: silence(within))
            }
            store(message)
        }
    }

    /// An event of a capture that has arrived already.
    func takeEvent(of capture: Int) -> ReceivedMessage? {
        events.firstIndex { $0.capture == capture }.map { events.remove(at: $0) }
    }

    /// Stores every message that arrives within a time.
    func listen(for time: Duration) throws {
        let deadline = ContinuousClock.now + time
        while let message = try reader?.next(until: deadline) { store(message) }
    }

    /// The number of answers to a request so far.
    func answerCount(_ number: Int) -> Int { answered[number] ?? 0 }

    private func store(_ message: ReceivedMessage) {
        if let number = message.line.header.answer {
            answers[number, default: []].append(message)
            answered[number, default: 0] += 1
            if !(1...max(1, lastRequest)).contains(number) { unasked.append(number) }
        } else if message.capture != nil {
            events.append(message)
        } else if asides.count < 10_000 {
            // Further messages are dropped, because a flood must not fill the memory.
            asides.append(message)
        }
    }

    private func silence(_ time: Duration) -> String {
        let what = process.end.map { "the program ended \($0.words)" } ?? "nothing"
        return "\(what) within \(time)"
    }
}
