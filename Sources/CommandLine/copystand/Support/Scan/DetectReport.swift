import CaptureHost
import CaptureKit
import CommandLine
import Delivery
import ScanService

/// The output of `detect`, as JSON and as a table.
struct DetectReport {
    /// One picture in JSON; unknown values are null, and values that do not apply are absent.
    struct Entry: Encodable {
        struct Problem: Encodable {
            var code: String
            var message: String
            var advice: String?
        }

        /// One of the visible pages.
        struct Sighting: Encodable {
            var corners: [[Double]]
            var confidence: Double
            var outputs: [String]?
        }

        var file: String
        var page: Int?
        var corners: [[Double]]?
        var confidence: Double?
        var milliseconds: Double?
        var outputs: [String]?
        var all: [Sighting]?
        var error: Problem?

        private enum Key: CodingKey {
            case file, page, corners, confidence, milliseconds, outputs, all, error
        }

        func encode(to encoder: any Encoder) throws {
            var object = encoder.container(keyedBy: Key.self)
            try object.encode(file, forKey: .file)
            try object.encode(corners, forKey: .corners)
            try object.encode(confidence, forKey: .confidence)
            try object.encode(milliseconds, forKey: .milliseconds)
            try object.encodeIfPresent(page, forKey: .page)
            try object.encodeIfPresent(outputs, forKey: .outputs)
            try object.encodeIfPresent(all, forKey: .all)
            try object.encodeIfPresent(error, forKey: .error)
        }
    }

    /// The pictures in the order of their files.
    private(set) var entries: [Entry] = []
    /// The table for people.
    private(set) var table = Table([
        .init("PHOTO", minimumWidth: 16), .init("CORNERS", minimumWidth: 20),
        .init("SURE", isAlignedRight: true), .init("MS", isAlignedRight: true),
    ])
    /// The reasons why pictures could not be read.
    private(set) var errors: [HostError] = []

    private let showsAll: Bool

    /// - Parameters:
    ///   - outcome: the result of the search.
    ///   - all: whether every page in view was requested.
    init(_ outcome: PictureSearch.Outcome, all: Bool) {
        showsAll = all
        for picture in outcome.pictures { add(picture, outcome) }
    }

    private mutating func add(_ picture: SearchedPicture, _ outcome: PictureSearch.Outcome) {
        var entry = Entry(
            file: picture.file, page: picture.number,
            milliseconds: picture.milliseconds.map { rounded($0, 1000) })
        let name = picture.file + (picture.number.map { ", page \($0)" } ?? "")
        let time = picture.milliseconds.map(tenths) ?? ""
        switch picture.result {
        case .found(let pages):
            let sightings = pages.map { sighting($0, outcome) }
            entry.corners = sightings.first?.corners
            entry.confidence = sightings.first?.confidence
            entry.outputs = sightings.first?.outputs
            entry.all = showsAll ? sightings : nil
            for (number, found) in pages.enumerated() {
                table.add([
                    number == 0 ? name : "",
                    found.corners.map { "\(whole($0.x)),\(whole($0.y))" }.joined(separator: " "),
                    "\(rounded(found.confidence, 100))", number == 0 ? time : "",
                ])
            }
        case .nothing:
            entry.confidence = 0
            entry.all = showsAll ? [] : nil
            table.add([name, "no page", "", time])
        case .unreadable(let error):
            let known = HostError(error, backend: "file")
            entry.error = .init(
                code: known.code.rawValue, message: known.message, advice: known.advice)
            errors.append(known)
            table.add([name, "can't be read", "", time])
        }
        entries.append(entry)
    }

    private func sighting(
        _ found: SearchedPicture.Found, _ outcome: PictureSearch.Outcome
    ) -> Entry.Sighting {
        // A hundredth of a pixel is finer than any photograph shows.
        Entry.Sighting(
            corners: found.corners.map { [rounded($0.x, 100), rounded($0.y, 100)] },
            confidence: rounded(found.confidence, 10_000),
            outputs: found.place.map { place in
                outcome.receipts.map {
                    // The receipt names one file for each page, or one for all.
                    $0.locations.count == $0.pages ? $0.locations[place - 1] : $0.locations[0]
                }
            })
    }
}

private func rounded(_ value: Double, _ parts: Double) -> Double {
    (value * parts).rounded() / parts
}

private func whole(_ value: Double) -> Int { Int(value.rounded()) }
