import CaptureHost
import CaptureKit

/// How a check gives a frame its place.
enum Way: Hashable {
    /// The pixels come in the connection.
    case inline
    /// A file, whose first bytes are not the frame's own.
    case file(offset: Int)
}

/// A capture that has ended, for checks to judge.
struct SeenCapture {
    var frames: [SeenFrame] = []
    /// The pieces of documents that came, and their bytes.
    var sources: [(piece: Wire.Source, bytes: Int)] = []
    /// What was out of order.
    var disorder: [Disorder] = []
    /// Why it ended otherwise than by success.
    var error: CaptureError?

    /// The frames that arrived complete, each with its announcement.
    var pages: [(frame: SeenFrame, form: FrameDescription)] {
        frames.compactMap { frame in
            frame.state == .done ? frame.announced.map { (frame, $0.form) } : nil
        }
    }
}

/// Something that came when it should not.
struct Disorder {
    /// What it was.
    let words: String
    /// True when it is of a frame that has no buffer yet.
    var isEarly = false
}

/// A frame as it came.
struct SeenFrame {
    /// How far it is.
    enum State { case announced, granted, dropped, done, skipped }

    let number: Int
    var state = State.announced
    /// What was announced; nil for one that was skipped unannounced.
    var announced: Wire.Frame?
    /// Bytes that came inline, and the most that came with one message.
    var bytes = 0
    var largestPiece = 0
    /// The rows that were reported on the way.
    var rows: [Int] = []
    var done: Wire.Rows?
    /// The page's own words, and what is wrong with one of them.
    var words = 0
    var wordFault: String?
    /// The bytes of the picture that followed `done`, and what is wrong with it, in words.
    var original: Int?
    var originalFault: String?
    /// Where it goes, until it is over: a file, or the bytes that came inline so far.
    var file: GivenFile?
    var inline: [UInt8] = []
    /// What is missing in it, in words; found when it has ended.
    var lack: String?
    /// What the backend did to the file besides writing the frame, in words.
    var trespass: String?

    /// True when nothing more may arrive for it.
    var isOver: Bool { state == .done || state == .dropped || state == .skipped }

    /// Keeps inline pixels, as far as they are checked.
    mutating func keep(_ pixels: [UInt8]) {
        inline += pixels.prefix(ReceivedMessage.kept - inline.count)
    }

    /// Notes words of its own text.
    mutating func note(_ more: [FrameText.Word]) {
        words += more.count
        guard wordFault == nil, let form = announced?.form else { return }
        wordFault = more.lazy.compactMap { FrameText.fault($0, in: form) }.first
    }

    /// A name for the end of a sentence.
    var name: String { "frame \(number)" }
}

extension Wire.Frame {
    /// What was announced, with the stride of packed rows if it had none; impossible sides are
    /// brought within bounds.
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
    /// The most bytes that the frame may take.
    var mostBytes: Int {
        let most = FrameLimits().pixels(of: format)
        let rows = height ?? min(FrameDescription.longestSide, most / width)
        return min(max(0, byteCount(rows: rows)), 2 << 30)
    }
}
