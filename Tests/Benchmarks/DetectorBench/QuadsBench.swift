import Detection
import FoundationEssentials
import Imaging

/// Measures how precisely the pages in a folder of pictures are found.
struct QuadsBench {
    /// A line of `quads.jsonl`.
    private struct Entry: Decodable {
        var id: String
        var image: String
        var corners: [[Double]]
        var tags: [String]?

        var truth: Quad? {
            Quad(ordering: corners.compactMap { $0.count == 2 ? Point(x: $0[0], y: $0[1]) : nil })
        }
    }

    private struct Score {
        let entry: Entry
        let rough: Double
        let refined: Double
        let confidence: Double
    }

    private let folder: String
    private let entries: [Entry]

    init(_ folder: String) throws {
        self.folder = folder
        let lines = String(decoding: try Bench.bytes(folder + "/quads.jsonl"), as: UTF8.self)
        entries = try lines.split(separator: "\n").map {
            try JSONDecoder().decode(Entry.self, from: Data($0.utf8))
        }
    }

    /// Pictures are reduced to the size of a 1080-line camera's: at most 1,920 pixels at the long
    /// side.
    func run() throws {
        for (name, format) in [("color", PixelFormat.rgb8), ("luma", .gray8)] {
            for looksClosely in [false, true] {
                let scores = try entries.map { try score($0, as: format, looksClosely) }
                print(
                    "\(name), \(looksClosely ? "closely" : "one look"): IoU rough and refined, confidence"
                )
                for score in scores.sorted(by: { $0.refined < $1.refined }) {
                    let numbers = [score.rough, score.refined, score.confidence]
                    let texts = numbers.map { Bench.text($0, decimals: 3) }
                    print("  \(texts.joined(separator: " "))  \(score.entry.id)")
                }
                func isCovered(_ score: Score) -> Bool {
                    score.entry.tags?.contains("occluded") == true
                }
                summary("all", scores)
                summary("covered edges", scores.filter(isCovered))
                summary("the others", scores.filter { !isCovered($0) })
            }
        }
    }

    private func score(_ entry: Entry, as format: PixelFormat, _ looksClosely: Bool) throws -> Score
    {
        let picture = try Raster.decoded(from: Bench.bytes("\(folder)/\(entry.image)"))
        let image = picture.thumbnail(longSide: 1920).converted(to: format)
        guard let truth = entry.truth else { Bench.fail("\(entry.id) has no four corners") }
        let scaled = truth.scaled(
            x: Double(image.width) / Double(picture.width),
            y: Double(image.height) / Double(picture.height))
        var detector = NetworkPageDetector()
        detector.looksClosely = looksClosely
        let refined = try detector.detect(in: image)
        detector.refinesSides = false
        let rough = try detector.detect(in: image)
        return Score(
            entry: entry, rough: rough?.quad.intersectionOverUnion(scaled) ?? 0,
            refined: refined?.quad.intersectionOverUnion(scaled) ?? 0,
            confidence: refined?.confidence ?? 0)
    }

    private func summary(_ name: String, _ scores: [Score]) {
        guard !scores.isEmpty else { return }
        func mean(_ value: (Score) -> Double) -> String {
            Bench.text(scores.reduce(0) { $0 + value($1) } / Double(scores.count), decimals: 3)
        }
        let good = scores.count { $0.refined > 0.9 }
        let found = scores.count { $0.confidence > 0 }
        print(
            "| \(name) | \(scores.count) | \(mean(\.rough)) | \(mean(\.refined)) | \(good) over 0.9 | \(found) found |"
        )
    }
}
