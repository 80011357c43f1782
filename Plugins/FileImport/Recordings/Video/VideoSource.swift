import CVideo
import CaptureKit

/// A video as phones and cameras make it: H.264, HEVC, VP8, VP9, AV1, MPEG-4, H.263 or Motion JPEG
/// in MP4, QuickTime, 3GP, Matroska, WebM or AVI.
///
/// Frames are upright, with square pixels and the times in the file. Frames that depend on a
/// damaged one are left out with it, because they would show pieces of both.
final class VideoSource: RecordingSource {
    private let reader: VideoReader
    private let clock: FrameClock
    private let limits: ImportLimits
    /// True when the user's rate defines the times, and not the file.
    private let isPaced: Bool
    private var index = 0
    /// The file's time of its first picture.
    private var start: Double?
    private var loss: VideoLoss?
    /// A decoded picture, which is sent after the report of losses before it.
    private var held: video_picture?
    private var isCut: Bool

    init(
        _ file: OpenFile, _ head: [UInt8], in container: video_container, name: String,
        settings: ImportSettings, limits: ImportLimits
    ) throws(DecodeFault) {
        self.limits = limits
        reader = try VideoReader(
            file, in: container, called: describeVideo(head) ?? "a video", limits: limits)
        isPaced = settings.rate > 0
        clock = FrameClock(name: name, asked: settings.rate, own: reader.facts.rate)
        isCut =
            container == video_matroska
            && MatroskaSegment(head).map { $0.end > file.size } ?? false
    }

    var frameCount: Int? { reader.facts.count > 0 ? Int(reader.facts.count) : nil }

    func next(_ cancel: CancelFlag) throws(DecodeFault) -> RecordedStep? {
        if let picture = held {
            held = nil
            return try frame(picture)
        }
        while true {
            switch try reader.next(cancel) {
            case .picture(let picture):
                if isLost(picture) {
                    index += 1
                    if let lost = largeLossReport() { return lost }
                    continue
                }
                guard let lost = lossReport() else { return try frame(picture) }
                held = picture
                return lost
            case .broken(let places, let reason):
                addLoss(places, reason)
                index += 1
                if let lost = largeLossReport() { return lost }
            case .brokenOff:
                isCut = true
            case .end:
                if let lost = lossReport() { return lost }
                guard isCut else { return nil }
                isCut = false
                return .damaged(label: clock.label(index), .brokenOff)
            }
        }
    }

    private func frame(_ picture: video_picture) throws(DecodeFault) -> RecordedStep {
        let (width, height) = (Int(picture.width), Int(picture.height))
        try VideoReader.check(width, height, limits)
        let swapsSides = Turn(rawValue: Int(picture.turn))?.swapsSides ?? false
        let description = FrameDescription(
            format: picture.is_gray != 0 ? .gray8 : .nv12, width: swapsSides ? height : width,
            height: swapsSides ? width : height, label: clock.label(index), time: time(picture),
            problems: picture.is_absolute != 0 ? [Self.isFlat] : nil)
        index += 1
        // The picture is drawn directly into the host's memory, which saves a fifth of the time.
        let stride = description.stride
        return .frame(
            RecordedFrame(
                description: description,
                content: .drawn(count: description.byteCount(rows: description.height ?? 0)) {
                    [reader] memory throws(DecodeFault) in
                    try reader.draw(into: memory, stride: stride)
                }))
    }

    private static let isFlat =
        "The video is HDR (PQ), which is not converted, so its pages look flat. Film without HDR"

    private func time(_ picture: video_picture) -> Double {
        guard !isPaced, picture.time.isFinite else { return clock.time(index) }
        let first = start ?? picture.time
        start = first
        let time = picture.time - first
        return abs(time) <= Self.longest ? time : clock.time(index)
    }

    /// The maximum time in seconds; a larger one is a mistake.
    private static let longest = 1e9

    // MARK: Lost pictures

    private func addLoss(_ places: ClosedRange<Int64>, _ reason: String) {
        if loss == nil { loss = VideoLoss(places: places, firstFrame: index, reason: reason) }
        loss?.add(places)
    }

    private func isLost(_ picture: video_picture) -> Bool {
        if picture.is_flawed != 0 {
            addLoss(picture.number...picture.number, "a part of it is missing")
            return true
        }
        return loss?.reaches(picture) ?? false
    }

    /// Returns the report of losses so far, only once.
    private func lossReport() -> RecordedStep? {
        defer { loss = nil }
        return loss?.lossReport(before: index, clock)
    }

    /// A report of many lost frames, with more to come: a host that receives nothing for long
    /// assumes that the backend hangs.
    private func largeLossReport() -> RecordedStep? {
        guard let lost = loss, index - lost.firstFrame >= Self.mostUntold else { return nil }
        loss = VideoLoss(places: lost.places, firstFrame: index, reason: lost.reason)
        return lost.lossReport(before: index, clock)
    }

    private static let mostUntold = 100
}

/// Frames that are lost because something before them in the file is.
private struct VideoLoss {
    /// The places in the file that may be broken, from the first to the last.
    private(set) var places: ClosedRange<Int64>
    /// The first frame, counted from 0.
    let firstFrame: Int
    let reason: String

    mutating func add(_ more: ClosedRange<Int64>) {
        places =
            min(places.lowerBound, more.lowerBound)...max(places.upperBound, more.upperBound)
    }

    /// True if a picture may depend on a lost one: so do all later ones in the file, up to an
    /// independent one.
    func reaches(_ picture: video_picture) -> Bool {
        if picture.number < places.lowerBound { return false }
        return picture.is_key == 0 || picture.number <= places.upperBound
    }

    /// The report about the frames before frame `index`; nil for none.
    func lossReport(before index: Int, _ clock: FrameClock) -> RecordedStep? {
        let count = index - firstFrame
        guard count > 0 else { return nil }
        let fault =
            count == 1
            ? "the frame can't be decoded (\(reason))"
            : "\(count) frames can't be decoded (\(reason)), or depend on frames that can't"
        let label = clock.label(firstFrame) + (count > 1 ? " to \(index)" : "")
        return .damaged(label: label, .damaged(fault))
    }
}
