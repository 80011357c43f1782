import CaptureHost
import CaptureKit

/// How a check gives a frame a buffer.
enum Way: Hashable {
    /// No file: the pixels arrive over the connection.
    case inline
    /// A file in which the frame begins at `offset`.
    case file(offset: Int)
}

/// A capture that has ended, for checks to judge.
struct SeenCapture {
    var frames: [SeenFrame] = []
    /// The pieces of documents that arrived, each with the number of its bytes.
    var sources: [(piece: Wire.Source, bytes: Int)] = []
    /// The messages that arrived out of order.
    var disorder: [Disorder] = []
    /// The error with which the capture ended; nil for a success.
    var error: CaptureError?

    /// The frames that arrived complete, each with its announcement.
    var pages: [(frame: SeenFrame, form: FrameDescription)] {
        frames.compactMap { frame in
            frame.state == .done ? frame.announced.map { (frame, $0.form) } : nil
        }
    }
}

/// A message that arrived when the protocol forbids it.
struct Disorder {
    /// The message's description, in words.
    let words: String
    /// True when the message belongs to a frame that has no buffer yet.
    var isEarly = false
}

/// A frame as the backend sent it.
struct SeenFrame {
    /// The stages of a frame.
    enum State { case announced, granted, dropped, done, skipped }

    let number: Int
    var state = State.announced
    /// The announcement; nil for a frame that was skipped without an announcement.
    var announced: Wire.Frame?
    /// The number of bytes that arrived inline, and the maximum number in one message.
    var bytes = 0
    var largestPiece = 0
    /// The numbers of finished rows that the backend reported meanwhile.
    var rows: [Int] = []
    var done: Wire.Rows?
    /// The number of the page's own words, and the mistake in the first wrong word.
    var words = 0
    var wordFault: String?
    /// The number of bytes of the picture that followed `done`, and the mistake in it, in words.
    var original: Int?
    var originalFault: String?
    /// The frame's buffer until the frame is over: a file, or the bytes that arrived inline so far.
    var file: GivenFile?
    var inline: [UInt8] = []
    /// The missing part of the frame, in words; set when the frame has ended.
    var lack: String?
    /// The backend's changes to the file besides writing the frame, in words.
    var trespass: String?

    /// True when no further message may arrive for the frame.
    var isOver: Bool { state == .done || state == .dropped || state == .skipped }

    /// Keeps the part of inline pixels that is checked.
    mutating func keep(_ pixels: [UInt8]) {
        inline += pixels.prefix(ReceivedMessage.kept - inline.count)
    }

    /// Counts words of the page's own text, and checks them.
    mutating func note(_ more: [FrameText.Word]) {
        words += more.count
        guard wordFault == nil, let form = announced?.form else { return }
        wordFault = more.lazy.compactMap { FrameText.fault($0, in: form) }.first
    }

    /// The frame's name for messages.
    var name: String { "frame \(number)" }
}

extension Wire.Frame {
    /// The announced frame, with the stride of packed rows if none was announced; impossible sides
    /// are brought within bounds.
    var form: FrameDescription {
        let side = 1...FrameDescription.longestSide
        return FrameDescription(
            format: format, width: min(max(width, side.lowerBound), side.upperBound),
            height: height.map { min(max($0, side.lowerBound), side.upperBound) }, stride: stride,
            capacity: capacity, resolution: resolution, label: label, expected: expected,
            time: time, problems: problems, facts: facts, source: source,
            metadata: metadata)
    }
}

extension FrameDescription {
    /// The maximum size of the frame in bytes.
    var mostBytes: Int {
        let most = FrameLimits().pixels(of: format)
        let rows = height ?? min(FrameDescription.longestSide, most / width)
        return min(max(0, byteCount(rows: rows)), 2 << 30)
    }
}
