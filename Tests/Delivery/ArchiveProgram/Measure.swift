import Archive
import Documents
import FoundationEssentials
import Glibc

/// Measures an archive; every line of output is a name and a number.
enum Measure {
    /// Fills an archive with pages, a hundred per document, each document in one transaction.
    static func fill(_ folder: String, pages: String) throws {
        let archive = try openedArchive(folder)
        var generator = GeneratedPages(seed: 1)
        // All pages have the same picture, because only the text is measured here.
        let image = [UInt8]("the same picture".utf8)
        let count = Int(pages) ?? 0
        let time = try seconds {
            for start in stride(from: 0, to: count, by: 100) {
                let addition = try archive.begin(
                    DocumentInfo(title: "Bulk \(start / 100)", created: Double(start)))
                for _ in start..<min(start + 100, count) {
                    try addition.add(generator.next(image: image))
                }
                _ = try addition.finish()
            }
        }
        print("bulk_pages_per_second \(Int(Double(count) / time))")
    }

    /// Adds documents of one page each, all with the picture of one JPEG file.
    static func documents(_ folder: String, count: String, picture: String) throws {
        let archive = try Archive(folder: folder, .create)
        let image = [UInt8](try Data(contentsOf: URL(filePath: picture)))
        var generator = GeneratedPages(seed: 3)
        for number in 1...(Int(count) ?? 1) {
            let addition = try archive.begin(
                DocumentInfo(title: "Letter \(number)", created: Double(number)))
            var page = generator.next(image: image)
            page.picture = PagePicture(image: image, media: "image/jpeg")
            try addition.add(page)
            _ = try addition.finish()
        }
    }

    /// Measures opening, searching and adding: 95th percentiles in milliseconds.
    static func all(_ folder: String, runs: String) throws {
        let runs = Int(runs) ?? 1
        try percentile("open_ms", runs) { _ in
            _ = try Archive(folder: folder, .readWrite).summary(DocumentID(rawValue: 1))
        }
        let archive = try Archive(folder: folder, .readWrite)
        let queries = [
            ("word_ms", "hundredth"), ("phrase_ms", "\"needle haystack\""),
            ("prefix_ms", "prefixed*"),
            ("half_ms", "half"), ("half_and_rare_ms", "half hundredth"), ("number_ms", "page777"),
            ("filtered_ms", "half type:invoice"),
        ]
        for (name, query) in queries { try search(query, in: archive, name, runs) }
        // One of every hundred documents, from the first to the last.
        for (number, document) in try archive.documents().enumerated() where number % 100 == 0 {
            try archive.perform([.addTag("rare")], on: document.id)
        }
        try search("half tag:rare", in: archive, "tagged_ms", runs)
        try single("single_text_pages_per_second", archive, image: [UInt8]("the same picture".utf8))
        try single("single_pages_per_second", archive, image: nil)
    }

    /// Measures searches: 95th percentiles in milliseconds.
    static func searches(_ place: String, runs: String, _ queries: [String]) throws {
        let archive = try openedArchive(place)
        for (number, query) in queries.enumerated() {
            try search(query, in: archive, "query\(number)_ms", Int(runs) ?? 1)
        }
    }

    /// Searches, and prints the time and the number of results.
    private static func search(
        _ query: String, in archive: Archive, _ name: String, _ runs: Int
    ) throws {
        var last: SearchResult?
        try percentile(name, runs) { _ in last = try archive.search(query) }
        guard let last else { return }
        print(
            "  \(query): \(last.total)\(last.isTotalOpen ? " and more" : "") pages, by \(last.order.rawValue), "
                + "\(last.hits.reduce(0) { $0 + $1.words.count }) boxes on the first \(last.hits.count)"
        )
    }

    /// Adds documents of one page, each in a transaction.
    private static func single(_ name: String, _ archive: Archive, image: [UInt8]?) throws {
        var generator = GeneratedPages(seed: 2)
        let count = 200
        let time = try seconds {
            for _ in 0..<count {
                let addition = try archive.begin(DocumentInfo(title: "Single", created: 0))
                try addition.add(generator.next(image: image))
                _ = try addition.finish()
            }
        }
        print("\(name) \(Int(Double(count) / time))")
    }

    private static func percentile(
        _ name: String, _ runs: Int, _ body: (Int) throws -> Void
    ) throws {
        try body(-1)
        let times = try (0..<runs).map { run in try seconds { try body(run) } * 1_000 }.sorted()
        let slowest = times[min(times.count - 1, times.count * 95 / 100)]
        print("\(name) \((slowest * 100).rounded() / 100)")
    }

    private static func seconds(_ body: () throws -> Void) rethrows -> Double {
        let clock = ContinuousClock()
        let start = clock.now
        try body()
        return (clock.now - start) / .seconds(1)
    }
}
