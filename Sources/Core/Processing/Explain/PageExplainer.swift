import FileNames
import Documents
import FoundationEssentials
import Imaging
import Synchronization

/// Writes a picture's history into its folder.
///
/// Each picture is written immediately, on the thread of the steps, so that only one is in memory.
/// The first failure to write ends the explanation; the page itself is not affected.
final class PageExplainer: Sendable {
    private struct State {
        /// The names of the pictures by part, one for each step.
        var pictures: [String: [String]] = [:]
        /// The last encoded picture of a part, which is written again for a step that changed
        /// nothing.
        var last: [UInt8] = []
        var lastPart = ""
        var problem: String?
    }

    private let folder: String
    private let page: Int
    private let provenance: Provenance
    private let profile: Profile
    private let state = Mutex(State())

    init(_ folder: ExplainFolder, page: Int, provenance: Provenance, profile: Profile) {
        self.folder = "\(folder.path)/page-\(padded(page, to: 4))"
        self.page = page
        self.provenance = provenance
        self.profile = profile
    }

    /// Begins with the picture as it was captured.
    func begin(with captured: Raster) {
        attempt { state in
            try FileManager.default.createDirectory(
                atPath: folder, withIntermediateDirectories: true)
            try write(captured, as: "00-captured.png", part: "", isChanged: true, &state)
        }
    }

    /// Records the page after a step.
    func record(_ report: StepReport, _ page: ProcessedPage) {
        attempt { state in
            let part = suffix(page)
            let name = "\(padded(page.steps.count, to: 2))-\(report.name)\(part).png"
            try write(page.image, as: name, part: part, isChanged: report.changed, &state)
            state.pictures[part, default: []].append(name)
        }
    }

    /// Writes the report.
    ///
    /// Returns the problem, for people, if a file could not be written.
    func finish(_ pages: [ProcessedPage]) -> String? {
        attempt { state in
            let report = ExplainReport(
                page: page, label: provenance.label, device: provenance.device,
                profile: profile.name,
                parts: pages.map { .init($0, profile, pictures: pictures(of: $0, state)) })
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
            try put(Array(SafeJSON.text(encoder.encode(report)).utf8), "report.json")
            try put(Array(report.text.utf8), "report.txt")
        }
        return state.withLock(\.problem)
    }

    /// The pictures of a part's steps; those before the split show the whole picture.
    private func pictures(of page: ProcessedPage, _ state: State) -> [String] {
        let ancestors = (0...page.parts.count).map { suffix(Array(page.parts.prefix($0))) }
        return ancestors.flatMap { state.pictures[$0] ?? [] }
    }

    private func suffix(_ page: ProcessedPage) -> String { suffix(page.parts) }

    private func suffix(_ parts: [ProcessedPage.Part]) -> String {
        parts.map { "-\($0.number)" }.joined()
    }

    private func write(
        _ image: Raster, as name: String, part: String, isChanged: Bool, _ state: inout State
    ) throws {
        if isChanged || state.lastPart != part || state.last.isEmpty {
            state.last = try image.encodedPNG()
            state.lastPart = part
        }
        try put(state.last, name)
    }

    private func put(_ bytes: [UInt8], _ name: String) throws {
        try Data(bytes).write(to: URL(filePath: "\(folder)/\(name)"))
    }

    private func attempt(_ work: (inout State) throws -> Void) {
        state.withLock { state in
            guard state.problem == nil else { return }
            do { try work(&state) } catch {
                state.last = []
                state.problem =
                    "The explanation in \(folder) is incomplete: \(explanation(of: error))"
            }
        }
    }
}

/// A number with leading zeros, so that names sort by number.
private func padded(_ number: Int, to digits: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, digits - text.utf8.count)) + text
}
