import Detection
import FoundationEssentials
import Imaging

/// Measures how many of the cards on a table are found in one picture; prints a line of JSON per
/// picture.
struct SpreadsBench {
    /// A line of `spreads.jsonl`.
    private struct Entry: Decodable {
        var id: String
        var image: String
        /// The corners of each card.
        var cards: [[[Double]]]
    }

    /// A line of output.
    private struct Answer: Encodable {
        var id: String
        /// The overlap of each card with the best detection; 0 if there is none.
        var ious: [Double]
        /// The number of detections that overlap with no card by a half.
        var others: Int
        var milliseconds: Double
    }

    private let folder: String
    private let detector: NetworkPageDetector

    /// - Parameter shapes: The shapes to detect, as in `NetworkPageDetector`.
    init(_ folder: String, shapes: [Double]) {
        self.folder = folder
        var detector = NetworkPageDetector()
        detector.looksClosely = true
        detector.shapes = shapes
        self.detector = detector
    }

    func run() throws {
        let lines = String(decoding: try Bench.bytes("\(folder)/spreads.jsonl"), as: UTF8.self)
        for line in lines.split(separator: "\n") {
            let entry = try JSONDecoder().decode(Entry.self, from: Data(line.utf8))
            print(String(decoding: try JSONEncoder().encode(answer(to: entry)), as: UTF8.self))
        }
    }

    private func answer(to entry: Entry) throws -> Answer {
        let picture = try Raster.decoded(from: Bench.bytes("\(folder)/\(entry.image)"))
        let start = Bench.milliseconds()
        let found = try detector.detectAll(in: picture)
        let spent = Bench.milliseconds() - start
        let cards = entry.cards.compactMap { corners in
            Quad(ordering: corners.compactMap { $0.count == 2 ? Point(x: $0[0], y: $0[1]) : nil })
        }
        let ious = cards.map { card in
            found.map { $0.quad.intersectionOverUnion(card) }.max() ?? 0
        }
        let others = found.count { one in
            cards.allSatisfy { one.quad.intersectionOverUnion($0) < 0.5 }
        }
        return Answer(id: entry.id, ious: ious, others: others, milliseconds: spent)
    }
}
