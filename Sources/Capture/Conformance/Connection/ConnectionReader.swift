import CaptureHost
import CaptureKit
import ExpectedFailures
import FoundationEssentials
import Glibc
import Processes
import Synchronization

/// A message that was received, with the needed part of its raw bytes.
struct ReceivedMessage {
    let line: WireLine
    let bytes: Int
    /// The raw bytes of a picture or of pixels, at most ``kept`` of them; empty for any other
    /// message.
    let payload: [UInt8]
    /// The number of the capture to which the message belongs.
    let capture: Int?

    /// The maximum number of raw bytes of a message that are kept: 64 MiB.
    static let kept = 64 << 20

    /// The event's name.
    var event: EventName? { line.header.event.flatMap(EventName.init) }
}

/// Reads a backend's messages one after the other, each until a deadline.
final class ConnectionReader {
    private let socket: OwnedDescriptor
    private let process: ChildProcess
    private let output: OutputBox
    private let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 256 << 10, alignment: 16)
    private var available = 0..<0
    /// The part of a line that has arrived so far.
    private var part: [UInt8] = []

    init(_ socket: OwnedDescriptor, _ process: ChildProcess, _ output: OutputBox) {
        self.socket = socket
        self.process = process
        self.output = output
    }

    deinit { chunk.deallocate() }

    /// The next message; nil when none arrived in time.
    func next(until deadline: ContinuousClock.Instant) throws -> ReceivedMessage? {
        while true {
            if available.isEmpty, try !fill(until: deadline) { return nil }
            let bytes = UnsafeRawBufferPointer(rebasing: chunk[available])
            let feed = memchr(bytes.baseAddress!, 10, bytes.count)
            let count = feed.map { UnsafeRawPointer($0) - bytes.baseAddress! } ?? bytes.count
            part.append(contentsOf: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
            take(feed == nil ? count : count + 1)
            guard part.count <= WireLimits.line else {
                throw CheckFailure("lines of at most 1 MiB", came: "a longer one")
            }
            if feed != nil { break }
        }
        defer { part = [] }
        do throws(WireError) {
            return try message(WireLine(Data(part)), until: deadline)
        } catch {
            throw CheckFailure("a line of JSON in the protocol's form", came: error.message)
        }
    }

    private func message(
        _ line: WireLine, until deadline: ContinuousClock.Instant
    ) throws(WireError) -> ReceivedMessage {
        let count = line.header.bytes ?? 0
        let event = line.header.event.flatMap(EventName.init)
        let isKept = event == .done || event == .pixels
        var payload: [UInt8] = []
        var rest = count
        while rest > 0 {
            // A failed connection has ended, too.
            let filled = ifSupported {
                try fillIfEmpty(until: max(deadline, .now + .seconds(10)))
            }
            guard filled == true else {
                throw WireError(
                    .cutOff, "\(count) raw bytes were announced, and \(count - rest) arrived")
            }
            let piece = min(rest, available.count)
            if isKept {
                let bytes = UnsafeRawBufferPointer(rebasing: chunk[available])
                let most = min(piece, ReceivedMessage.kept - payload.count)
                payload.append(contentsOf: bytes.prefix(most))
            }
            take(piece)
            rest -= piece
        }
        let isOfCapture = event.map(Self.captureEvents.contains)
        let capture =
            isOfCapture == true ? try line.decode(Wire.CaptureReference.self).capture : nil
        return ReceivedMessage(line: line, bytes: count, payload: payload, capture: capture)
    }

    private static let captureEvents: Set<EventName> = [
        .source, .frame, .pixels, .text, .progress, .done, .skipped,
    ]

    private func take(_ count: Int) {
        available = (available.lowerBound + count)..<available.upperBound
    }

    private func fillIfEmpty(until deadline: ContinuousClock.Instant) throws -> Bool {
        try !available.isEmpty || fill(until: deadline)
    }

    /// Waits for further bytes; false when none arrived in time.
    private func fill(until deadline: ContinuousClock.Instant) throws -> Bool {
        let left = max(.zero, deadline - .now)
        let milliseconds = Int32(
            clamping: left.components.seconds * 1000
                + left.components.attoseconds / 1_000_000_000_000_000 + 1)
        var waiting = pollfd(fd: socket.raw, events: Int16(POLLIN), revents: 0)
        guard retryingInterrupts({ poll(&waiting, 1, milliseconds) }) > 0 else { return false }
        let count = retryingInterrupts { recv(socket.raw, chunk.baseAddress, chunk.count, 0) }
        guard count > 0 else {
            let end = process.waitForEnd(.seconds(2))
            throw CheckFailure(
                "a program that keeps running",
                came: end.map { "it ended \($0.words)\(output.lastWords)" }
                    ?? "it closed the connection")
        }
        available = 0..<count
        return true
    }
}

/// Stores the output of a program, at most 10,000 lines.
final class OutputBox: Sendable {
    private let state = Mutex<[String]>([])

    func add(_ line: String) {
        state.withLock { if $0.count < 10_000 { $0.append(line) } }
    }

    var lines: [String] { state.withLock { $0 } }

    /// The last line that is not empty, for the end of a sentence.
    var lastWords: String {
        lines.last { !$0.allSatisfy(\.isWhitespace) }.map { "; its last output: \($0.prefix(200))" }
            ?? ""
    }
}

extension ProcessEnd {
    /// How the process ended, for the end of a sentence.
    var words: String {
        switch self {
        case .status(let status): "with status \(status)"
        case .signal(let number): "by signal \(number)"
        }
    }
}
