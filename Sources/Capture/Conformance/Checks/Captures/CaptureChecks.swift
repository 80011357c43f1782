import CaptureHost
import CaptureKit

let captureChecks = pageChecks + paceChecks + sourceChecks

// Checks of the content of pages.
private let pageChecks = [
    ConformanceCheck("capture.page", .must, section: "capture", title: "Captures a page") {
        _ = try $0.sample()
    },
    ConformanceCheck(
        "capture.order", .must, section: "Frames",
        title: "Numbers frames from 1, and sends one after the other"
    ) {
        if let disorder = try $0.sample().disorder.first(where: { !$0.isEarly }) {
            throw CheckFailure("frames in order, one at a time", came: disorder.words)
        }
    },
    ConformanceCheck(
        "capture.announces", .must, section: "Frames", title: "Announces possible pages"
    ) {
        for (frame, form) in try $0.sample().pages {
            guard let announced = frame.announced else { continue }
            let packed = announced.packed
            if let fault = packed.impossibility {
                throw CheckFailure(
                    "a page that the protocol allows",
                    came: "\(frame.name), whose \(fault)")
            }
            if form.format.isLiveOnly {
                throw CheckFailure("a format that pages have", came: form.format.rawValue)
            }
        }
    },
    ConformanceCheck(
        "capture.facts", .should, section: "What is certain about a page",
        title: "Describes pages only in the protocol's terms"
    ) {
        let pages = try $0.sample().pages
        if pages.allSatisfy({ $0.form.facts == nil }) {
            throw NotApplicable("it states no facts about pages")
        }
        for (frame, form) in pages {
            if let oddity = form.facts?.oddity(in: form) {
                throw CheckFailure(
                    "facts that the protocol allows",
                    came: "\(oddity) of \(frame.name)")
            }
        }
    },
    ConformanceCheck(
        "capture.stride", .must, section: "Frames", title: "Announces rows that do not overlap"
    ) {
        for (frame, form) in try $0.sample().pages {
            let least = form.format.minimumStride(width: form.width)
            guard form.stride < least || form.stride > least * 4 + 4096 else { continue }
            throw CheckFailure(
                "a stride of \(least) bytes or somewhat more",
                came: "\(form.stride) of \(frame.name)")
        }
    },
    ConformanceCheck(
        "capture.rows", .must, section: "Frames", title: "Ends a page with the rows it announced"
    ) {
        for (frame, form) in try $0.sample().pages {
            guard let rows = frame.done?.rows, let height = form.height, rows != height else {
                continue
            }
            throw CheckFailure("\(height) rows of \(frame.name)", came: "\(rows)")
        }
    },
    ConformanceCheck(
        "capture.text", .must, section: "Text of a page", title: "Reports words within their page"
    ) {
        let pages = try $0.sample().pages.map(\.frame)
        if pages.allSatisfy({ $0.words == 0 }) {
            throw NotApplicable("its pages have no text")
        }
        for page in pages {
            if let fault = page.wordFault {
                throw CheckFailure(
                    "words that the protocol allows",
                    came: "\(fault), of \(page.name)")
            }
            guard page.words <= FrameText.mostWords else {
                throw CheckFailure(
                    "up to \(FrameText.mostWords) words", came: "\(page.words) of \(page.name)")
            }
        }
    },
    ConformanceCheck(
        "capture.source", .must, section: "The document of a page",
        title: "Hands over documents whole, and before their pages"
    ) {
        let seen = try $0.sample()
        let named = seen.pages.compactMap(\.form.source)
        if seen.sources.isEmpty, named.isEmpty {
            throw NotApplicable("its pages are of no document")
        }
        for (number, pieces) in Dictionary(grouping: seen.sources, by: \.piece.source) {
            let bytes = pieces.reduce(0) { $0 + $1.bytes }
            guard Set(pieces.map(\.piece.size)) == [bytes] else {
                throw CheckFailure(
                    "\(pieces[0].piece.size) bytes of document \(number)", came: "\(bytes)")
            }
        }
        let known = Set(seen.sources.map(\.piece.source))
        if let missing = named.first(where: { !known.contains($0.document) }) {
            throw CheckFailure(
                "a document that was handed over", came: "a page of document \(missing.document)")
        }
    },
    ConformanceCheck(
        "capture.original", .must, section: "Frames", title: "Sends pages' originals as they are"
    ) {
        let pages = try $0.sample().pages.map(\.frame).filter { $0.original != nil }
        if pages.isEmpty { throw NotApplicable("it sends no originals") }
        for page in pages {
            guard let bytes = page.original, bytes <= FrameLimits().originalBytes else {
                throw CheckFailure(
                    "at most 512 MiB of an original", came: "\(page.original ?? 0) bytes")
            }
            if let fault = page.originalFault {
                throw CheckFailure("a JPEG picture of the page's own pixels", came: fault)
            }
        }
    },
    ConformanceCheck(
        "capture.progress", .must, section: "Buffers",
        title: "Reports rows that increase, up to the height"
    ) {
        let pages = try $0.sample().pages
        if pages.allSatisfy({ $0.frame.rows.isEmpty }) {
            throw NotApplicable("it reports no progress")
        }
        for (frame, form) in pages {
            let most = form.height ?? FrameDescription.longestSide
            let isRising = zip(frame.rows, frame.rows.dropFirst()).allSatisfy { $0 <= $1 }
            guard isRising, frame.rows.allSatisfy({ (0...most).contains($0) }) else {
                let rows = frame.rows.prefix(8).map(String.init).joined(separator: ", ")
                throw CheckFailure("rows that rise to at most \(most)", came: rows)
            }
        }
    },
    ConformanceCheck(
        "capture.again", .must, section: "capture",
        title: "Captures again without being opened again"
    ) {
        context in
        _ = try context.sample()
        try context.withPages { connection, handle in
            let way = try context.usualWay()
            for _ in 1...2 {
                let capture = try WatchedCapture(context, connection, handle, limit: 1)
                try CheckContext.hasMorePages(capture.untilEnd(way))
            }
        }
    },
]

extension Wire.Frame {
    /// The announced frame with packed rows.
    fileprivate var packed: FrameDescription {
        var packed = FrameDescription(
            format: format, width: min(max(width, 0), 1 << 30), height: height, capacity: capacity,
            resolution: resolution, label: label, expected: expected, time: time)
        packed.width = width
        return packed
    }
}
