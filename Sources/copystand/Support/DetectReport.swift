import CaptureHost
import CaptureKit
import CommandLine
import Delivery
import ScanService

/// What `detect` prints, as JSON and as a table.
struct DetectReport {
    /// One picture in JSON; what is unknown is null, and what does not apply is absent.
    struct Entry: Encodable {
        struct Problem: Encodable {
            var code: String
            var message: String
            var advice: String?
        }

        var file: String
        var page: Int?
        var corners: [[Double]]?
        var confidence: Double?
        var milliseconds: Double?
        var outputs: [String]?
        var error: Problem?

        private enum Key: CodingKey {
            case file, page, corners, confidence, milliseconds, outputs, error
        }

        func encode(to encoder: any Encoder) throws {
            var object = encoder.container(keyedBy: Key.self)
            try object.encode(file, forKey: .file)
            try object.encode(corners, forKey: .corners)
            try object.encode(confidence, forKey: .confidence)
            try object.encode(milliseconds, forKey: .milliseconds)
            try object.encodeIfPresent(page, forKey: .page)
            try object.encodeIfPresent(outputs, forKey: .outputs)
            try object.encodeIfPresent(error, forKey: .error)
        }
    }

    /// The pictures in the order of their files.
    private(set) var entries: [Entry] = []
    /// The same for people.
    private(set) var table = Table([
        .init("PHOTO", minimumWidth: 16), .init("CORNERS", minimumWidth: 20),
        .init("SURE", isAlignedRight: true), .init("MS", isAlignedRight: true),
    ])
    /// Why pictures could not be read.
    private(set) var errors: [HostError] = []

    init(_ outcome: PictureSearch.Outcome) {
        for picture in outcome.pictures { add(picture, outcome) }
    }

    private mutating func add(_ picture: SearchedPicture, _ outcome: PictureSearch.Outcome) {
        var entry = Entry(
            file: picture.file, page: picture.number,
            milliseconds: picture.milliseconds.map { rounded($0, 1000) })
        let name = picture.file + (picture.number.map { ", page \($0)" } ?? "")
        var cells = [name, "", "", picture.milliseconds.map(tenths) ?? ""]
        switch picture.result {
        case .found(let found):
            // A hundredth of a pixel is finer than any photograph shows.
            entry.corners = found.corners.map { [rounded($0.x, 100), rounded($0.y, 100)] }
            entry.confidence = rounded(found.confidence, 10_000)
            entry.outputs = found.place.map { place in
                outcome.receipts.map {
                    // One file a page, or one for all.
                    $0.locations.count == $0.pages ? $0.locations[place - 1] : $0.locations[0]
                }
            }
            cells[1] = found.corners.map { "\(whole($0.x)),\(whole($0.y))" }.joined(separator: " ")
            cells[2] = "\(rounded(found.confidence, 100))"
        case .nothing:
            entry.confidence = 0
            cells[1] = "no page"
        case .unreadable(let error):
            let known = HostError(error, backend: "file")
            entry.error = .init(
                code: known.code.rawValue, message: known.message, advice: known.advice)
            errors.append(known)
            cells[1] = "can't be read"
        }
        entries.append(entry)
        table.add(cells)
    }
}

private func rounded(_ value: Double, _ parts: Double) -> Double {
    (value * parts).rounded() / parts
}

private func whole(_ value: Double) -> Int { Int(value.rounded()) }
