import CaptureHost
import CaptureKit

/// A running capture, followed step by step as a host does, and recorded.
final class WatchedCapture {
    let connection: CheckConnection
    /// The number of the capture's request.
    let number: Int
    private(set) var seen = SeenCapture()
    /// The answer to the capture's request; nil before it has arrived.
    private(set) var answer: ReceivedMessage?
    private let deadlines: Deadlines

    /// The steps of a capture.
    enum Happening {
        /// A frame was announced, and waits for its buffer.
        case announced
        /// Pixels or a report of rows arrived.
        case advanced
        /// A frame is over.
        case over
        /// The capture has ended.
        case ended
    }

    /// Requests a capture.
    convenience init(
        _ context: CheckContext, _ connection: CheckConnection, _ handle: Int,
        mode: CaptureRequest.Mode = .pages,
        limit: Int?
    ) throws {
        let number = try connection.ask(
            .capture, Wire.Capture(handle: handle, mode: mode, limit: limit))
        self.init(connection, number: number, deadlines: context.deadlines)
    }

    /// Watches a capture that was requested already.
    init(_ connection: CheckConnection, number: Int, deadlines: Deadlines) {
        self.connection = connection
        self.number = number
        self.deadlines = deadlines
    }

    /// The frame that arrived last.
    var frame: SeenFrame? { seen.frames.last }

    /// Waits for the next step of the capture.
    func next(within: Duration? = nil) throws -> Happening {
        if answer != nil { return .ended }
        guard let message = try connection.event(of: number, within: within ?? deadlines.progress)
        else {
            let answer = try connection.answer(number, "capture", within: deadlines.cancel)
            self.answer = answer
            seen.error = answer.line.header.error
            return .ended
        }
        return try note(message)
    }

    /// Records the messages that have already arrived, without waiting; true if there were any.
    func noteWaiting() throws -> Bool {
        var hasAny = false
        while let message = connection.takeEvent(of: number) {
            _ = try note(message)
            hasAny = true
        }
        return hasAny
    }

    /// Waits until a frame is announced; false when the capture ends before.
    func untilAnnounced() throws -> Bool {
        while true {
            switch try next() {
            case .announced: return true
            case .ended: return false
            case .advanced, .over: break
            }
        }
    }

    /// Waits for the end of the capture; gives buffers to the waiting frame and to all announced
    /// ones.
    @discardableResult
    func untilEnd(_ way: Way, most: Int = 200) throws -> SeenCapture {
        if answer == nil, frame?.state == .announced { try grant(way) }
        while true {
            switch try next() {
            case .announced where seen.frames.count <= most: try grant(way)
            case .announced:
                throw CheckFailure("a capture that ends", came: "more than \(most) frames")
            case .ended: return seen
            case .advanced, .over: break
            }
        }
    }

    /// Waits for the end of a canceled capture; refuses the waiting frame and any further one.
    func untilEndRefusing() throws {
        while true {
            if answer == nil, frame?.state == .announced {
                try refuse(CaptureError(.cancelled, "the capture was canceled"))
            }
            if try next(within: deadlines.cancel) == .ended { return }
        }
    }

    // MARK: The host's answers

    /// Gives the announced frame a buffer, and sends other bytes with it.
    func grant(_ way: Way, file: GivenFile? = nil, along more: [UInt8] = []) throws {
        guard let frame, let form = frame.announced?.form else { return }
        let most = form.mostBytes
        guard case .file(let offset) = way else {
            change { $0.state = .granted }
            let body = Wire.Buffer(
                capture: number, frame: frame.number, way: .inline, most: most)
            let line = try WireWriter.line(WireMessage(WireHeader(event: .buffer), body))
            connection.send(raw: Array(line) + more)
            return
        }
        let size = form.height == nil ? 0 : most
        let file = try file ?? GivenFile(size: size, offset: offset)
        change {
            $0.state = .granted
            $0.file = file
        }
        try connection.give(
            Wire.Buffer(
                capture: number, frame: frame.number, way: .fd, size: size, most: most,
                offset: offset == 0 ? nil : offset), file: file.descriptor, along: more)
    }

    /// Informs the backend that no buffer is free for a live frame.
    func drop() throws {
        guard let frame else { return }
        try connection.sendEvent(
            .buffer, Wire.Buffer(capture: number, frame: frame.number, way: .drop))
        change { $0.state = .dropped }
    }

    /// Refuses the frame that was announced; its number is free again.
    func refuse(_ error: CaptureError) throws {
        guard let frame else { return }
        try connection.sendEvent(
            .refused, Wire.FrameReference(capture: number, frame: frame.number), error: error)
        seen.frames.removeLast()
    }

    /// Cancels the capture, and returns the number of the request.
    @discardableResult
    func cancel() throws -> Int { try connection.ask(.cancel, Wire.Cancel(capture: number)) }

    // MARK: Writing down

    private func note(_ message: ReceivedMessage) throws -> Happening {
        if message.event == .source {
            let piece = try message.line.decode(Wire.Source.self)
            if seen.sources.count < 10_000 { seen.sources.append((piece, message.bytes)) }
            return .advanced
        }
        let number = try message.line.decode(Wire.FrameReference.self).frame
        switch message.event {
        case .frame:
            if let frame, !frame.isOver {
                disorder("frame \(number) was announced before \(frame.name) was over")
            }
            begin(number)
            let announced = try message.line.decode(Wire.Frame.self)
            change { $0.announced = announced }
            return .announced
        case .pixels:
            onFrame(number, "pixels") {
                $0.bytes += message.bytes
                $0.largestPiece = max($0.largestPiece, message.bytes)
                $0.keep(message.payload)
            }
            return .advanced
        case .text:
            let text = try message.line.decode(Wire.Text.self)
            onFrame(number, "text") { $0.note(text.words) }
            return .advanced
        case .progress:
            let rows = try message.line.decode(Wire.Rows.self).rows
            onFrame(number, "progress") { $0.rows.append(rows) }
            return .advanced
        case .done:
            let done = try message.line.decode(Wire.Rows.self)
            onFrame(number, "done") {
                $0.done = done
                if done.mediaType != nil || message.bytes > 0 {
                    $0.original = message.bytes
                }
                $0.state = .done
                $0.judge(original: message.payload)
            }
            return .over
        default:
            if frame?.isOver != false { begin(number) }
            change { $0.state = .skipped }
            return .over
        }
    }

    /// Begins a frame, and notes whether its number is the next.
    private func begin(_ number: Int) {
        let wanted = (frame?.number ?? 0) + 1
        if number != wanted { disorder("frame \(number) arrived, not frame \(wanted)") }
        seen.frames.append(SeenFrame(number: number))
    }

    /// Records a message about the frame that is being sent, or that no frame was announced.
    private func onFrame(_ number: Int, _ what: String, _ note: (inout SeenFrame) -> Void) {
        guard let frame, frame.number == number, frame.state == .granted else {
            let isEarly = frame?.number == number && frame?.state == .announced
            let why = isEarly ? "before its buffer" : "that is not being sent"
            return disorder("\(what) of frame \(number) \(why)", isEarly: isEarly)
        }
        change(note)
    }

    private func disorder(_ words: String, isEarly: Bool = false) {
        if seen.disorder.count < 100 {
            seen.disorder.append(Disorder(words: words, isEarly: isEarly))
        }
    }

    private func change(_ body: (inout SeenFrame) -> Void) {
        if !seen.frames.isEmpty { body(&seen.frames[seen.frames.count - 1]) }
    }
}
