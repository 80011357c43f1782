import Delivery
import ExpectedFailures
import FileNames

/// Checks what happened to the documents that a job delivered.
struct JobLosses {
    /// The places that lost their document, each with the other places where its pages were found.
    private(set) var places: [LostPlace] = []
    /// The number of delivered pages that are found nowhere now.
    private(set) var pages = 0
    /// The number of captured pages that exist in some place, even if the job failed; 0 for a
    /// batch.
    private(set) var seenPages = 0

    /// Checks every place; a job without a record has lost nothing.
    init(_ record: JobRecord?, job: String) {
        guard let record else { return }
        let seen = record.places(of: job).map { (place: $0, look: $0.look()) }
        let safe = seen.filter(\.look.showsPages).map(\.place)
        // A file without blank pages has fewer pages than were captured.
        seenPages =
            safe.compactMap { place in place.captured.map { min($0, place.pages) } }.max() ?? 0
        var lost: [String: Int] = [:]
        for (place, look) in seen {
            guard let loss = look.loss else { continue }
            let others = safe.filter { $0.job == place.job && $0.holds(place) }
            if others.isEmpty {
                lost[place.job] = max(lost[place.job] ?? 0, max(1, place.captured ?? place.pages))
            }
            places.append(
                LostPlace(
                    record.name(of: place, look.file), document: place.document, loss,
                    others: others.map { record.name(of: $0, nil) }))
        }
        pages = lost.values.reduce(0) { min(1_000_000, $0 + $1) }
    }
}

extension DeliveredPlace {
    /// True if this place has at least as many pages as another one had.
    fileprivate func holds(_ other: DeliveredPlace) -> Bool {
        pages >= other.pages && (captured ?? 0) >= (other.captured ?? 0)
    }

    /// The document's number in the archive; nil for other places.
    fileprivate var document: String? {
        if case .archive(_, let document, _) = location { document } else { nil }
    }
}

extension JobRecord {
    /// The places of the documents; for a record of an older version, only those of files.
    fileprivate func places(of job: String) -> [DeliveredPlace] {
        if let places { return places }
        guard let deliveredPages else { return [] }
        return (deliveries ?? [:]).filter { !$0.value.left.isEmpty }.map { output, delivery in
            let path = path(of: output)
            let folder = path.hasPrefix("/") ? "" : FileNames.currentFolder + "/"
            // The search uses scalars, because Swift joins a slash and a following mark into one
            // character.
            let end = path.unicodeScalars.lastIndex(of: "/")
            let parent = end.map { String(path.unicodeScalars[...$0]) } ?? ""
            let format = ofKnownForm { try FileFormat(path: output) }
            let showsPages = format?.showsPages ?? false
            var place = DeliveredPlace(
                sink: folder + path, job: job, pages: deliveredPages,
                location: .files(
                    delivery.left.map { $0.renamed(folder + parent + $0.name) },
                    showsPages: showsPages))
            place.captured = deliveredPages
            return place
        }
    }

    /// The name of a place for its user: an output as requested, or the actual file.
    fileprivate func name(of place: DeliveredPlace, _ lost: String?) -> String {
        if case .archive = place.location { return PagesAtRisk.archive }
        guard case .files(let files, _) = place.location, let file = lost ?? files.first?.name
        else { return lost ?? place.sink }
        let output = order.outputs.first { whole($0) == file }
        if let output { return output }
        let folder = (folder ?? FileNames.currentFolder) + "/"
        return file.utf8.starts(with: folder.utf8)
            ? String(decoding: file.utf8.dropFirst(folder.utf8.count), as: UTF8.self) : file
    }

    /// The absolute path of an output.
    private func whole(_ output: String) -> String {
        output.hasPrefix("/") ? output : (folder ?? FileNames.currentFolder) + "/" + output
    }
}
