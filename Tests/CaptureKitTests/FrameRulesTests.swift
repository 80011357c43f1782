import Testing

@testable import CaptureKit

@Suite struct FrameRulesTests {
    @Test(
        "a frame that can't be is named",
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
        ])
    func impossible(_ frame: FrameDescription, _ word: String) {
        #expect(frame.impossibility?.contains(word) == true)
    }

    @Test("rows may be padded, and the last one need not be")
    func padding() {
        let frame = FrameDescription(format: .bilevel, width: 17, height: 4, stride: 8)
        #expect(frame.impossibility == nil)
        #expect(frame.leastBytes(rows: 4) == 8 * 3 + 3)
        #expect(frame.wholeRows(in: 27) == 4)
        #expect(frame.wholeRows(in: 26) == 3)
        #expect(frame.wholeRows(in: 0) == 0)
    }
}
