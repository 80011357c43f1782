import Testing

@testable import CaptureKit

@Suite struct FrameRulesTests {
    @Test(
        "The error names what is impossible in a frame",
        arguments: [
            (FrameDescription(format: .gray8, width: 0, height: 1), "width"),
            (FrameDescription(format: .gray8, width: 70_000, height: 1), "width"),
            (FrameDescription(format: .gray8, width: 1, height: 0), "height"),
            (FrameDescription(format: .gray8, width: 1, height: -5), "height"),
            (FrameDescription(format: .rgb8, width: 100, height: 1, stride: 299), "stride"),
            (FrameDescription(format: .rgb8, width: 100, height: 1, stride: .max), "stride"),
            (FrameDescription(format: .rgb8, width: 100, height: 1, stride: -1), "stride"),
            (
                FrameDescription(
                    format: .gray8, width: 1, height: 1, resolution: Resolution(x: 0, y: 300)),
                "resolution"
            ),
            (
                FrameDescription(
                    format: .gray8, width: 1, height: 1, label: String(repeating: "x", count: 5000)),
                "label"
            ),
            (FrameDescription(format: .gray8, width: 1, height: 1, time: .infinity), "time"),
            (FrameDescription(format: .gray8, width: 1, height: 1, time: .nan), "time"),
            (FrameDescription(format: .gray8, width: 1, height: 1, time: -2e12), "time"),
            (FrameDescription(format: .gray8, width: 1, height: 1, capacity: 9), "capacity"),
            (FrameDescription(format: .yuyv, width: 3, height: 1, stride: 6), "stride"),
            (FrameDescription(format: .uyvy, width: 4, height: 1, stride: .max), "stride"),
            (FrameDescription(format: .nv12, width: 3, height: 2, stride: 3), "stride"),
            (FrameDescription(format: .nv12, width: 4, height: 2, stride: 5), "odd"),
            (FrameDescription(format: .nv12, width: 4, height: nil), "height"),
            (FrameDescription(format: .jpeg, width: 4, height: nil, capacity: 9), "height"),
            (FrameDescription(format: .jpeg, width: 4, height: 4), "capacity"),
            (FrameDescription(format: .jpeg, width: 4, height: 4, capacity: 0), "capacity"),
            (FrameDescription(format: .jpeg, width: 4, height: 4, capacity: -1), "capacity"),
            (FrameDescription(format: .jpeg, width: 4, height: 4, capacity: .max), "capacity"),
            (
                FrameDescription(format: .jpeg, width: 4, height: 4, stride: 4, capacity: 9),
                "stride"
            ),
        ])
    func impossible(_ frame: FrameDescription, _ word: String) {
        #expect(frame.impossibility?.contains(word) == true)
    }

    @Test(
        "A row with shared colors has whole pairs, and a frame all of its planes",
        arguments: [
            // format, width, height, stride, bytes of the frame, least bytes, bytes before the
            // colors
            (FrameFormat.yuyv, 4, 3, 8, 24, 24, nil), (.yuyv, 3, 3, 8, 24, 24, nil),
            (.uyvy, 1, 1, 4, 4, 4, nil), (.nv12, 4, 4, 4, 24, 24, 16),
            (.nv12, 3, 3, 4, 20, 20, 12), (.nv12, 1, 1, 2, 4, 4, 2), (.rgb8, 5, 2, 15, 30, 30, nil),
        ] as [(FrameFormat, Int, Int, Int, Int, Int, Int?)])
    func sizes(
        _ format: FrameFormat, _ width: Int, _ height: Int, _ stride: Int, _ bytes: Int,
        _ least: Int, _ colors: Int?
    ) {
        let frame = FrameDescription(format: format, width: width, height: height)
        #expect(frame.impossibility == nil)
        #expect(frame.stride == stride)
        #expect(frame.byteCount(rows: height) == bytes)
        #expect(frame.leastBytes(rows: height) == least)
        #expect(frame.wholeRows(in: bytes) == height)
        #expect(frame.chromaOffset == colors)
    }

    @Test("An nv12 frame has padding between the rows of both planes, but not after the last")
    func paddedPlanes() {
        let frame = FrameDescription(format: .nv12, width: 6, height: 3, stride: 16)
        #expect(frame.impossibility == nil)
        #expect(frame.byteCount(rows: 3) == 5 * 16)
        #expect(frame.leastBytes(rows: 3) == 4 * 16 + 6)
        #expect(frame.chromaOffset == 48)
        #expect(frame.wholeRows(in: 38) == 3)
        #expect(frame.wholeRows(in: 80) == 3)
    }

    @Test("An encoded frame needs its capacity and has no rows until it is complete")
    func encoded() {
        let frame = FrameDescription(format: .jpeg, width: 1920, height: 1080, capacity: 500_000)
        #expect(frame.impossibility == nil)
        #expect(frame.stride == 0)
        #expect(frame.byteCount(rows: 1080) == 500_000)
        #expect(frame.leastBytes(rows: 1080) == 1)
        #expect(frame.wholeRows(in: 400_000) == 0)
    }

    @Test("Sizes at the limits do not overflow", arguments: FrameFormat.allCases)
    func limits(_ format: FrameFormat) {
        let side = FrameDescription.longestSide
        let frame = FrameDescription(
            format: format, width: side, height: side,
            stride: format == .jpeg ? 0 : (format.minimumStride(width: side) * 4 + 4096),
            capacity: format == .jpeg ? side * side * 4 : nil)
        #expect(frame.impossibility == nil)
        #expect(frame.byteCount(rows: side) > side)
    }

    @Test("Rows may be padded, but the last one need not be")
    func padding() {
        let frame = FrameDescription(format: .bilevel, width: 17, height: 4, stride: 8)
        #expect(frame.impossibility == nil)
        #expect(frame.leastBytes(rows: 4) == 8 * 3 + 3)
        #expect(frame.wholeRows(in: 27) == 4)
        #expect(frame.wholeRows(in: 26) == 3)
        #expect(frame.wholeRows(in: 0) == 0)
    }
}
