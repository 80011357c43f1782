import Detection
import FoundationEssentials
import Imaging

/// Prints the detector's answers to all pictures of a folder as JSON, including unsure ones.
///
/// The map of its confidence is fitted to these answers.
struct AnswersBench {
    /// A line of `quads.jsonl` or `negatives.jsonl`.
    private struct Entry: Decodable {
        var id: String
        var image: String
        /// The true corners; nil if the picture shows no page.
        var corners: [[Double]]?
        /// Other corners that are equally correct.
        var also: [[Double]]?
        /// The scene or document that several pictures show.
        var group: String?
    }

    /// A line of output.
    private struct Answer: Encodable {
        var id: String
        var group: String?
        var hasPage: Bool
        /// 0 where nothing was found.
        var iou: Double
        var confidence: Double
        /// The found area as a multiple of the true area; 0 if no page was found.
        var area: Double
        /// The corners found, clockwise from the top left, in pixels.
        var corners: [[Double]]?
    }

    private let folder: String
    private let detector: NetworkPageDetector

    /// - Parameters:
    ///   - looksClosely: True to examine pictures as stills, false to examine them once, as frames
    ///     of a live view.
    ///   - shapes: The shapes to detect, as in `NetworkPageDetector`.
    init(_ folder: String, looksClosely: Bool, shapes: [Double]) {
        self.folder = folder
        var detector = NetworkPageDetector(minimumConfidence: 0)
        detector.looksClosely = looksClosely
        detector.shapes = shapes
        self.detector = detector
    }

    func run() throws {
        var entries: [Entry] = []
        for name in ["quads.jsonl", "negatives.jsonl"] {
            guard name == "quads.jsonl" || Bench.isFile("\(folder)/\(name)") else { continue }
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
        let truths = [entry.corners, entry.also].compactMap { $0.flatMap(Self.quad) }
        let overlaps = truths.compactMap { found?.quad.intersectionOverUnion($0) }
        return Answer(
            id: entry.id, group: entry.group, hasPage: entry.corners != nil,
            iou: overlaps.max() ?? 0,
            confidence: found?.confidence ?? 0,
            area: truths.first.flatMap { truth in found.map { $0.quad.area / truth.area } } ?? 0,
            corners: found?.quad.corners.map { [$0.x, $0.y] })
    }

    private static func quad(_ corners: [[Double]]) -> Quad? {
        Quad(ordering: corners.compactMap { $0.count == 2 ? Point(x: $0[0], y: $0[1]) : nil })
    }
}
