import Documents
import FoundationEssentials
import Imaging
import Testing

@testable import Recognition

@Suite struct WireTests {
    @Test(
        "A header says the length it was made with", arguments: [0, 1, 255, 256, 70_000, 64 << 20])
    func headerRoundTrip(length: Int) {
        let bytes = FrameHeader.bytes(announcing: length)
        #expect(bytes.count == FrameHeader.byteCount)
        #expect(FrameHeader.length(in: bytes) == length)
    }

    @Test(
        "What is no header has no length",
        arguments: [
            [], Array("CSR1".utf8), Array("CSR2\u{1}\0\0\0".utf8),
            [0x43, 0x53, 0x52, 0x31, 1, 0, 0, 4],
        ] as [[UInt8]])
    func wrongHeaders(bytes: [UInt8]) {
        #expect(FrameHeader.length(in: bytes) == nil)
    }

    @Test(
        "A damaged answer is nonsense or lies within the picture; it is never a crash",
        arguments: 1...40)
    func damagedAnswers(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let image = HelperImage(width: 100, height: 50, depth: 8)
        let box = Box(x: 3, y: 4, width: 20, height: 10)
        let line = TextLine(
            words: [Word(text: "word", box: box, confidence: 0.5)], box: box,
            baseline: Baseline(x1: 3, y1: 13, x2: 23, y2: 13))
        let block = TextBlock(paragraphs: [Paragraph(lines: [line], box: box)], box: box)
        let good = Array(
            try JSONEncoder().encode(
                HelperAnswer.text(PageText(blocks: [block], languages: ["eng"]))))
        #expect(throws: Never.self) { try AnswerReader.read(good, within: image) }
        for _ in 0..<50 {
            var bytes = good
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let place = Int.random(in: 0..<bytes.count, using: &random)
                switch Int.random(in: 0..<3, using: &random) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
                case 1: bytes.insert(UInt8(ascii: "9"), at: place)
                default: bytes.remove(at: place)
                }
            }
            guard case .text(let text)? = try? AnswerReader.read(bytes, within: image) else {
                continue
            }
            for word in text.words {
                #expect(
                    word.box.x >= 0 && word.box.width >= 0 && word.box.x + word.box.width <= 100)
                #expect(
                    word.box.y >= 0 && word.box.height >= 0 && word.box.y + word.box.height <= 50)
            }
        }
    }

    @Test("Boxes that leave the picture, or overflow, are refused")
    func wildBoxes() throws {
        let image = HelperImage(width: 100, height: 50, depth: 8)
        for box in [
            Box(x: -1, y: 0, width: 5, height: 5), Box(x: 96, y: 0, width: 5, height: 5),
            Box(x: 0, y: 46, width: 5, height: 5), Box(x: 0, y: 0, width: -5, height: 5),
        ] {
            let bytes = try Self.answer(with: box)
            #expect(throws: HelperFailure.nonsense("text outside the picture")) {
                try AnswerReader.read(bytes, within: image)
            }
        }
        // Numbers that no sum may overflow with are no box to begin with.
        for box in [
            Box(x: 50, y: 0, width: .max, height: 5), Box(x: .max, y: 0, width: .max, height: 5),
        ] {
            let bytes = try Self.answer(with: box)
            let failure = HelperFailure.nonsense("\(bytes.count) bytes that are no answer")
            #expect(throws: failure) { try AnswerReader.read(bytes, within: image) }
        }
    }

    private static func answer(with box: Box) throws -> [UInt8] {
        let text = PageText(blocks: [TextBlock(paragraphs: [], box: box)], languages: [])
        return Array(try JSONEncoder().encode(HelperAnswer.text(text)))
    }

    @Test(
        "Rows go to the helper gray, padded to words, whatever the format",
        arguments: PixelFormat.allCases)
    func rows(format: PixelFormat) throws {
        var gray = Raster(width: 37, height: 9, format: .gray8)
        var random = SeededGenerator(seed: 5)
        gray.withMutableBytes { bytes in
            for index in bytes.indices { bytes[index] = UInt8.random(in: 0...255, using: &random) }
        }
        let rows = try #require(HelperRows(gray.converted(to: format)))
        var sent: [UInt8] = []
        var row = 0
        while let chunk = rows.chunk(from: &row) { sent += chunk }
        #expect(rows.image.stride == (format == .bilevel ? 8 : 40))
        #expect(sent.count == rows.image.byteCount)
        gray.withBytes { bytes in
            for y in 0..<9 {
                for x in 0..<37 {
                    let value = bytes[y * 37 + x]
                    if format == .bilevel {
                        let bit = sent[y * 8 + x / 8] >> UInt8(7 - x % 8) & 1
                        #expect((bit == 1) == (value < 128))
                    } else {
                        #expect(sent[y * 40 + x] == value)
                    }
                }
            }
        }
    }

    @Test("Colors weigh as the eye weighs them")
    func luma() throws {
        var color = Raster(width: 3, height: 1, format: .rgb8)
        color.withMutableBytes { $0.copyBytes(from: [255, 0, 0, 0, 255, 0, 0, 0, 255]) }
        var row = 0
        let sent = try #require(HelperRows(color)?.chunk(from: &row))
        for (value, share) in zip(sent, [0.299, 0.587, 0.114]) {
            #expect(abs(Double(value) - 255 * share) <= 1)
        }
    }

    @Test("A large raster is sent in chunks of whole rows, none lost")
    func chunks() throws {
        let rows = try #require(HelperRows(Raster(width: 1001, height: 1500, format: .gray8)))
        var sent = 0
        var chunks = 0
        var row = 0
        while let chunk = rows.chunk(from: &row) {
            #expect(chunk.count % rows.image.stride == 0)
            sent += chunk.count
            chunks += 1
        }
        #expect(sent == rows.image.byteCount)
        #expect(chunks > 1)
    }
}

/// SplitMix64: the same numbers for the same seed.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var z = state
        z = (z ^ (z >> 30)) &* 0xbf58_476d_1ce4_e5b9
        z = (z ^ (z >> 27)) &* 0x94d0_49bb_1331_11eb
        return z ^ (z >> 31)
    }
}
