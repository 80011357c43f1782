import CaptureKit

/// Turns planes of samples into a frame as cameras send it: 4:2:0 becomes NV12, 4:2:2 and 4:4:4
/// become YUYV, and planes without color become gray.
///
/// Samples keep their values except for the range: Y'CbCr is 16…235 in the capture protocol and
/// gray 0…255. With 4:4:4, the colors of two neighbors are averaged.
func cameraFrame(
    _ planes: UnsafeRawBufferPointer, _ header: Y4MHeader
) throws(DecodeFault) -> RecordedFrame {
    let (width, height) = (header.width, header.height)
    let format: FrameFormat =
        switch header.chroma {
        case .none: .gray8
        case .c420: .nv12
        case .c422, .c444: .yuyv
        }
    let description = FrameDescription(format: format, width: width, height: height)
    let frame = try PixelBuffer(byteCount: description.byteCount(rows: height))
    let stride = description.stride
    let output = frame.mutableBytes
    let range = SampleRange(header)
    let chromaSize = header.chromaWidth * header.chromaHeight
    let blues = UnsafeRawBufferPointer(rebasing: planes[(width * height)...].prefix(chromaSize))
    let reds = UnsafeRawBufferPointer(rebasing: planes[(width * height + chromaSize)...])

    switch format {
    case .yuyv:
        for y in 0..<height {
            weave(
                UnsafeRawBufferPointer(rebasing: planes[(y * width)...].prefix(width)),
                row: y, header, blues: blues, reds: reds, range: range,
                into: UnsafeMutableRawBufferPointer(
                    rebasing: output[(y * stride)...].prefix(stride)))
        }
    default:
        for y in 0..<height {
            let row = UnsafeMutableRawBufferPointer(
                rebasing: output[(y * stride)...].prefix(stride))
            let luma = UnsafeRawBufferPointer(rebasing: planes[(y * width)...].prefix(width))
            if range.isKept {
                row.copyMemory(from: luma)
            } else {
                for x in 0..<width { row[x] = range.luma[Int(luma[x])] }
            }
            // An odd width is rounded up by one more column.
            if stride > width { row[width] = row[width - 1] }
        }
        guard let start = description.chromaOffset else { break }
        for y in 0..<header.chromaHeight {
            let row = UnsafeMutableRawBufferPointer(
                rebasing: output[(start + y * stride)...].prefix(stride))
            let colors = y * header.chromaWidth
            for x in 0..<header.chromaWidth {
                row[2 * x] = range.chroma[Int(blues[colors + x])]
                row[2 * x + 1] = range.chroma[Int(reds[colors + x])]
            }
        }
    }
    return RecordedFrame(description: description, bytes: frame)
}

/// Makes a row of YUYV from its luma and the planes of colors.
private func weave(
    _ luma: UnsafeRawBufferPointer, row y: Int, _ header: Y4MHeader,
    blues: UnsafeRawBufferPointer, reds: UnsafeRawBufferPointer, range: SampleRange,
    into row: UnsafeMutableRawBufferPointer
) {
    let colors = y * header.chromaWidth
    for pair in 0..<row.count / 4 {
        let (left, right) = (2 * pair, min(2 * pair + 1, luma.count - 1))
        let blue: UInt8
        let red: UInt8
        if header.chroma == .c444 {
            blue = average(blues[colors + left], blues[colors + right])
            red = average(reds[colors + left], reds[colors + right])
        } else {
            (blue, red) = (blues[colors + pair], reds[colors + pair])
        }
        row[4 * pair] = range.luma[Int(luma[left])]
        row[4 * pair + 1] = range.chroma[Int(blue)]
        row[4 * pair + 2] = range.luma[Int(luma[right])]
        row[4 * pair + 3] = range.chroma[Int(red)]
    }
}

/// The mapping of a recording's samples: 256 values each for brightness and color.
private struct SampleRange {
    let luma: [UInt8]
    let chroma: [UInt8]
    /// True when samples stay unchanged.
    let isKept: Bool

    init(_ header: Y4MHeader) {
        let isGray = header.chroma == .none
        isKept = isGray == header.isFullRange
        // ITU-R BT.601: 219 steps of brightness above 16, and 224 of color around 128.
        if isKept {
            luma = Array(0...255)
            chroma = luma
        } else if isGray {
            luma = (0...255).map { Self.clamped(Double($0 - 16) * 255 / 219) }
            chroma = luma
        } else {
            luma = (0...255).map { Self.clamped(Double($0) * 219 / 255 + 16) }
            chroma = (0...255).map { Self.clamped(Double($0 - 128) * 224 / 255 + 128) }
        }
    }

    private static func clamped(_ value: Double) -> UInt8 {
        UInt8(min(255, max(0, value.rounded())))
    }
}

private func average(_ a: UInt8, _ b: UInt8) -> UInt8 { UInt8((Int(a) + Int(b) + 1) / 2) }
