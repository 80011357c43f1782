import CSANE
import CaptureKit

/// A driver's description of a frame, after checks.
struct DriverFrame: Hashable, Sendable {
    /// One of the three passes of a color page.
    enum Pass: Int, CaseIterable, Sendable {
        case red, green, blue
    }

    /// The conversion of the driver's bytes to those of the protocol.
    enum Content: Hashable, Sendable {
        /// The samples have the protocol's form already.
        case plain(FrameFormat)
        /// One-bit color: for each eight pixels, a byte with their red, one with their green and
        /// one with their blue; 1 is bright.
        case packedColor
        /// One of three colors; the others come in separate frames.
        case pass(Pass)
    }

    var content: Content
    var width: Int
    /// The number of rows; nil when the driver does not know it (hand-held scanners).
    var height: Int?
    /// Bytes of a row, with any padding.
    var stride: Int
    /// Bits of a sample: 1, 8 or 16.
    var depth: Int
    /// True when no more passes follow.
    var isLast: Bool

    /// Checks a driver's parameters.
    ///
    /// - Throws: ``CaptureError``: `unsupported` for forms that SANE's frontends don't
    ///   commonly read, `damagedData` for impossible ones.
    init(_ parameters: SANE_Parameters) throws(CaptureError) {
        width = Int(parameters.pixels_per_line)
        stride = Int(parameters.bytes_per_line)
        depth = Int(parameters.depth)
        isLast = parameters.last_frame != SANE_FALSE
        height = parameters.lines < 0 ? nil : Int(parameters.lines)
        guard [1, 8, 16].contains(depth) else {
            throw CaptureError(
                .unsupported, "The driver sends \(depth) bits a sample; 1, 8 and 16 can be read",
                advice: "Choose another depth or mode: copystand options DEVICE")
        }
        let bitsPerPixel: Int
        switch parameters.format {
        case SANE_FRAME_GRAY:
            content = .plain(depth == 1 ? .bilevel : depth == 8 ? .gray8 : .gray16)
            bitsPerPixel = depth
        case SANE_FRAME_RGB:
            content = depth == 1 ? .packedColor : .plain(depth == 8 ? .rgb8 : .rgb16)
            bitsPerPixel = 3 * depth
        case SANE_FRAME_RED, SANE_FRAME_GREEN, SANE_FRAME_BLUE:
            let pass = Int(parameters.format.rawValue) - Int(SANE_FRAME_RED.rawValue)
            content = .pass(Pass(rawValue: pass) ?? .red)
            bitsPerPixel = depth
        default:
            throw CaptureError(
                .unsupported, "The driver sends frames of kind \(parameters.format.rawValue)",
                advice: "Choose another mode, or switch the scanner's compression off.")
        }
        let sides = 1...65_535
        let least =
            content == .packedColor ? 3 * ((width + 7) / 8) : (width * bitsPerPixel + 7) / 8
        guard sides.contains(width), sides.contains(height ?? 1), stride >= least,
            stride <= 4 * least + 4096
        else {
            throw CaptureError(
                .damagedData,
                "The driver announces a page of \(width) × \(parameters.lines) pixels with \(stride) bytes a row, which is impossible",
                advice: "Choose another area or resolution, then scan again.")
        }
    }

    /// Bytes of the whole frame; nil when its height is unknown.
    var byteCount: Int? { height.map { $0 * stride } }

    /// The announcement of the page for the host.
    func description(
        resolution: Resolution?, label: String?, knowsHeight: Bool
    ) -> FrameDescription {
        let format: FrameFormat
        var packed: Int?
        switch content {
        case .plain(let plain): (format, packed) = (plain, stride)
        case .packedColor: format = .rgb8
        case .pass: format = depth == 16 ? .rgb16 : .rgb8
        }
        return FrameDescription(
            format: format, width: width, height: knowsHeight ? height : nil, stride: packed,
            resolution: resolution, label: label,
            facts: PageFacts(origin: .scan, size: resolution == nil ? nil : .measured))
    }
}
