import Detection
import FoundationEssentials
import Imaging

/// What the detector answers to every picture of a folder, sure or not, as JSON: what its confidence is fitted on.
struct AnswersBench {
    /// A line of `quads.jsonl` or `negatives.jsonl`.
    private struct Entry: Decodable {
        var id: String
        var image: String
        /// Absent where there is no page.
        var corners: [[Double]]?
    }

    /// A line of output.
    private struct Answer: Encodable {
        var id: String
        var hasPage: Bool
        /// 0 where nothing was found.
        var iou: Double
        var confidence: Double
    }

    private let folder: String
    private let detector: NetworkPageDetector

    /// - Parameter looksClosely: as for a still; a film's frames are looked at once.
    init(_ folder: String, looksClosely: Bool) {
        self.folder = folder
        var detector = NetworkPageDetector(minimumConfidence: 0)
        detector.looksClosely = looksClosely
        self.detector = detector
    }

    func run() throws {
        var entries: [Entry] = []
        for name in ["quads.jsonl", "negatives.jsonl"] {
            let lines = String(decoding: try Bench.bytes("\(folder)/\(name)"), as: UTF8.self)
            entries += try lines.split(separator: "\n").map {
                try JSONDecoder().decode(Entry.self, from: Data($0.utf8))
            }
        }
        for entry in entries {
            print(String(decoding: try JSONEncoder().encode(answer(to: entry)), as: UTF8.self))
        }
    }

    private func answer(to entry: Entry) throws -> Answer {
        let picture = try Raster.decoded(from: Bench.bytes("\(folder)/\(entry.image)"))
        let found = try detector.detect(in: picture)
        let truth = entry.corners.flatMap { corners in
            Quad(ordering: corners.compactMap { $0.count == 2 ? Point(x: $0[0], y: $0[1]) : nil })
        }
        let overlap = truth.flatMap { found?.quad.intersectionOverUnion($0) }
        return Answer(
            id: entry.id, hasPage: entry.corners != nil, iou: overlap ?? 0,
            confidence: found?.confidence ?? 0)
    }
}
