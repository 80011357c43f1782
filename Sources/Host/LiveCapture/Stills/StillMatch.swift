import CaptureHost
import Detection
import Imaging

/// A page that waits for its still.
struct WantedStill {
    var time: Double
    var seen: LiveObservation
    var isByHand: Bool
}

/// Finds the page of a live frame in the still that was captured for it.
///
/// The camera has changed its size meanwhile and may show more or less than before, and someone may
/// have moved the page.
struct StillMatch: Sendable {
    /// The reason why a still is not used.
    struct Refusal: Error, Hashable {
        let reason: String
    }

    /// A still has the shape of the live frames if both differ by at most this fraction.
    private static let sameShape = 0.01
    /// A page has moved if a corner is farther from its old place, in parts of the page's diagonal.
    private static let samePlace = 0.02
    /// The minimum sharpness of a still, relative to the live frames at the same size; a page that
    /// moves during the capture has less.
    private static let sameSharpness = 0.75
    /// The maximum fraction of the blocks in which the page may differ from the live frames:
    /// another page differs in a quarter or more.
    private static let sameContents = 0.2

    /// The observation of the page in the live frames.
    let seen: LiveObservation
    let area: LiveArea
    let settings: AutoCaptureSettings

    /// The page's corners in pixels of the still; nil if the whole still is the page.
    ///
    /// - Throws: ``Refusal`` when the still can't show the same page; the errors of the detector.
    func quad(in frame: CameraFrame) throws -> Quad? {
        // The still is reduced to the size of the examined live frames, so that sharpness is
        // comparable.
        var reader = LumaReader(longSide: max(seen.width, seen.height))
        try reader.read(frame)
        let luma = reader.luma
        let isSameShape =
            (Double(luma.width * seen.height) / Double(luma.height * seen.width) - 1).magnitude
            <= Self.sameShape
        guard let page = seen.page else { return nil }
        let scale = Double(luma.width) / Double(seen.width)
        let expected = isSameShape ? page.quad.scaled(x: scale, y: scale) : nil
        let place: Quad
        switch area {
        case .fixed, .drawn:
            guard let expected else {
                throw Refusal(
                    reason:
                        "its shape differs from the live frames, so the region is elsewhere in it"
                )
            }
            place = expected
        case .search(let detector):
            place = try found(detector, luma, expected)
        }
        try compare(place, in: luma, canLieElsewhere: expected == nil)
        guard !area.isFixed || area.isDrawn else { return nil }
        return place.scaled(
            x: Double(reader.frameWidth) / Double(luma.width),
            y: Double(reader.frameHeight) / Double(luma.height))
    }

    private func found(
        _ detector: any PageDetector, _ luma: Raster, _ expected: Quad?
    ) throws -> Quad {
        let detected = try detector.detectClosely(in: luma)
        guard let expected else {
            guard let detected, detected.confidence >= settings.found else {
                throw Refusal(reason: "the page was not found in it")
            }
            return detected.quad
        }
        // The corners from the live frames come from many looks, and are used when a single look is
        // uncertain.
        guard let detected, detected.confidence >= settings.ready else { return expected }
        let quad = detected.quad.turned(toward: expected)
        guard quad.drift(from: expected) <= Self.samePlace else { throw Self.moved }
        return quad
    }

    private static let moved = Refusal(reason: "the page has moved, or something lies on it")

    private func compare(_ place: Quad, in luma: Raster, canLieElsewhere: Bool) throws {
        if let before = seen.signature, let now = PageSignature(of: place, in: luma) {
            let change = now.change(since: before)
            let aligned = canLieElsewhere ? now.changeWhenAligned(since: before) : nil
            guard change.isBlank || min(change.share, aligned?.share ?? 1) < Self.sameContents
            else {
                throw Self.moved
            }
        }
        // An edge that spreads over more pixels is less sharp in each of them.
        let scale = Double(seen.width) / Double(max(seen.width, luma.width))
        if let before = seen.measures?.sharpness,
            let now = PageMeasures(of: place, in: luma)?.sharpness,
            now < Self.sameSharpness * scale * before
        {
            throw Refusal(reason: "it is blurred")
        }
    }
}
