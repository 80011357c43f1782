import Documents
import FoundationEssentials
import Imaging
import Testing

@testable import Readers
@testable import Recognition

@Suite struct WireTests {
    private static let picture = ReaderPicture(width: 100, height: 50, format: .gray8)

    private static func line(
        _ quad: [Double] = [3, 4, 23, 4, 23, 14, 3, 14], text: String = "word",
        confidence: Double = 0.5, baseline: [Double]? = [3, 13, 23, 13]
    ) -> ReaderWire.Line {
        ReaderWire.Line(
            reading: 1,
            words: [ReaderWire.Word(text: text, quad: quad, confidence: confidence)],
            baseline: baseline, block: 1, paragraph: 1)
    }

    private static func read(_ line: ReaderWire.Line) throws -> PageText {
        try AnswerReader(picture: picture).text(of: [line], languages: ["eng"])
    }

    @Test("A word's box is the smallest box of whole pixels that contains its corners")
    func boxes() throws {
        let slanted = [3.5, 6, 22, 4.2, 23.4, 12, 4, 14.1]
        let text = try Self.read(Self.line(slanted))
        #expect(text.words.map(\.box) == [Box(x: 3, y: 4, width: 21, height: 11)])
        #expect(text.lines[0].baseline == Baseline(x1: 3, y1: 13, x2: 23, y2: 13))
        #expect(text.languages == ["eng"])
    }

    @Test(
        "Invalid numbers, or numbers outside the picture, are nonsense",
        arguments: [
            line([-1, 4, 23, 4, 23, 14, 3, 14]), line([3, 4, 101, 4, 23, 14, 3, 14]),
            line([3, 4, 23, 4, 23, 51, 3, 14]), line([3, 4, 23, 4, 23, .infinity, 3, 14]),
            line([3, 4, 23, .nan, 23, 14, 3, 14]), line([3, 4, 1e300, 4, 23, 14, 3, 14]),
            line([3, 4, 23, 4]), line([]), line(confidence: 1.1), line(confidence: -0.1),
            line(confidence: .nan), line(baseline: [3, 13, 23]),
            line(baseline: [3, 13, 23, 1000]), line(text: String(repeating: "w", count: 5000)),
        ])
    func wildNumbers(line: ReaderWire.Line) {
        #expect(throws: HelperFailure.self) { try Self.read(line) }
    }

    @Test("Text comes in Unicode's composed form, without control characters and outer spaces")
    func letters() throws {
        let words = try Self.read(Self.line(text: " u\u{308}be\u{7}r\u{1b}[2J\t")).words
        #expect(Array(words[0].text.unicodeScalars) == Array("\u{fc}ber[2J".unicodeScalars))
        let nothing = try Self.read(Self.line(text: " \n\u{0} "))
        #expect(nothing.words.isEmpty)
    }

    @Test(
        "A damaged answer is nonsense or within the picture; it is never a crash",
        arguments: 1...40)
    func damagedAnswers(seed: UInt64) throws {
        var random = SeededGenerator(seed: seed)
        let good = Array(try JSONEncoder().encode(Self.line()))
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
            guard let line = try? JSONDecoder().decode(ReaderWire.Line.self, from: Data(bytes)),
                let text = try? Self.read(line)
            else { continue }
            for word in text.words {
                #expect(
                    word.box.x >= 0 && word.box.width >= 0 && word.box.x + word.box.width <= 100)
                #expect(
                    word.box.y >= 0 && word.box.height >= 0 && word.box.y + word.box.height <= 50)
            }
        }
    }

    @Test(
        "Rows go to the helper in gray, padded to words, whatever the format",
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

    @Test("Colors are weighted by the eye's sensitivity")
    func luma() throws {
        var color = Raster(width: 3, height: 1, format: .rgb8)
        color.withMutableBytes { $0.copyBytes(from: [255, 0, 0, 0, 255, 0, 0, 0, 255]) }
        var row = 0
        let sent = try #require(HelperRows(color)?.chunk(from: &row))
        for (value, share) in zip(sent, [0.299, 0.587, 0.114]) {
            #expect(abs(Double(value) - 255 * share) <= 1)
        }
    }

    @Test("A large raster is sent in chunks of whole rows, and none is lost")
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
