import Documents
import ExpectedFailures
import Imaging
import Recognition

/// Reads the serial number on a label several times, from differently processed pictures, and
/// compares the results.
struct SerialExtractor: Extractor {
    static let kind = StepOptionKey(
        choice: "kind",
        of: ["any"] + SerialKind.allCases.map(\.rawValue).filter { $0 != SerialKind.own.rawValue },
        default: "any",
        help:
            "The kind of number: IMEI, MAC address, ISBN, EAN, Apple's serial numbers, or what follows a label such as 'Serial No.'."
    )
    static let pattern = StepOptionKey(
        text: "pattern", longest: SerialPattern.longest,
        help:
            "The pattern of your own kind of number, such as [A-Z]{2}\\d{6}; 'kind' is then ignored."
    )
    static let check = StepOptionKey(
        choice: "check", of: CheckDigit.allCases.map(\.rawValue), default: CheckDigit.none.rawValue,
        help: "The rule for the last digit of numbers with your own pattern.")

    static let declaration = StepDeclaration(
        name: "serial", title: "Read the serial number",
        help:
            "Reads a device's serial number, with alternatives and its confidence; check it if that is below 0.8.",
        options: [kind.option, pattern.option, check.option])

    private let settings: StepSettings

    init(_ settings: StepSettings) { self.settings = settings }

    func run(on page: ReadingInput) async throws -> ReadingOutcome {
        let reader = try reader()
        var readings = [page.text]
        for view in LabelView.all(of: page.image) {
            readings.append(try await view.read(page))
        }
        var (found, count) = try await read(readings, at: reader.place(in: readings), reader, page)
        if (found.first?.confidence ?? 0) < SerialReader.certain,
            let place = reader.place(in: SignReader.readRows(of: page.image))
        {
            let other = try await read(readings, at: place, isExact: true, reader, page)
            if (other.found.first?.confidence ?? 0) > (found.first?.confidence ?? 0) {
                (found, count) = other
            }
        }
        guard let best = found.first else {
            return ReadingOutcome(
                summary: "no serial number found",
                measurements: ["numbers": 0, "readings": count])
        }
        let doubt =
            best.confidence < SerialReader.certain
            ? ", not sure" + (best.alternatives.first.map { ": it may be \($0)" } ?? "") : ""
        return ReadingOutcome(
            summary: "\(best.kind.rawValue) \(best.text)\(doubt)",
            measurements: [
                "numbers": Double(found.count), "confidence": best.confidence,
                "readings": count,
            ],
            found: found.map {
                Finding(
                    kind: .serial, format: $0.kind.rawValue, text: $0.text,
                    confidence: $0.confidence, box: $0.box, alternatives: $0.alternatives)
            })
    }

    /// The result of reading the whole label, and only the number at its possible place.
    ///
    /// - Parameter isExact: true if the characters determined the place; otherwise reading the
    ///   number alone may find a better place.
    private func read(
        _ readings: [PageText], at place: Box?, isExact: Bool = false, _ reader: SerialReader,
        _ page: ReadingInput
    ) async throws -> (found: [FoundSerial], count: Double) {
        var codes: [PageText] = []
        var signs: [SignReading] = []
        if let place {
            // A reader that expects no words reads only the number.
            for view in LabelView.lines(place, of: page.image) {
                codes.append(try await view.read(page))
            }
            let better = isExact ? nil : reader.place(in: readings, codes: codes)
            signs = SignReader.read(page.image, at: better ?? place)
        }
        return (
            reader.read(readings, codes: codes, signs: signs),
            Double(readings.count + codes.count + signs.count)
        )
    }

    private func reader() throws -> SerialReader {
        let pattern = settings[Self.pattern]
        guard pattern.isEmpty else {
            do {
                return SerialReader(
                    pattern: try SerialPattern(pattern),
                    check: CheckDigit(rawValue: settings[Self.check]) ?? .none)
            } catch {
                throw RecognitionError(.engineFailed, error.message)
            }
        }
        return SerialKind(rawValue: settings[Self.kind]).map { SerialReader(kinds: [$0]) }
            ?? SerialReader()
    }
}

/// A label, or a part of it, in another size or after other processing, to be read again.
struct LabelView {
    private let image: Raster
    private let layout: TextLayout
    /// The view's top left corner in the whole picture, and the number of the view's pixels for one
    /// of the whole picture's.
    private let origin: (x: Int, y: Int)
    private let scale: Double

    /// The heights in pixels of a line's picture when the line is read alone.
    private static let lineHeights = [44, 56, 72, 96]

    /// Views of the whole label.
    static func all(of image: Raster) -> [LabelView] {
        let gray = image.format == .gray8 ? image : image.converted(to: .gray8)
        var views = [LabelView(image: gray, layout: .block, origin: (0, 0), scale: 1)]
        for scale in [0.5, 0.75] {
            views.append(
                LabelView(
                    image: resized(gray, scale), layout: .block, origin: (0, 0), scale: scale))
        }
        if let black = ifSupported({ try gray.binarized(.otsu) }) {
            views.append(LabelView(image: black, layout: .block, origin: (0, 0), scale: 1))
        }
        return views
    }

    /// Views of the line that holds `box`, in several sizes.
    static func lines(_ box: Box, of image: Raster) -> [LabelView] {
        let gray = image.format == .gray8 ? image : image.converted(to: .gray8)
        let room = max(4, box.height / 3)
        // The reader may have missed the last letter.
        let wanted = PixelRect(
            x: box.x - 2 * room, y: box.y - room, width: box.width + 2 * room + 2 * box.height,
            height: box.height + 2 * room)
        guard let part = wanted.intersection(gray.bounds) else { return [] }
        let line = gray.cropped(to: part)
        return lineHeights.map { height in
            let scale = min(4, Double(height) / Double(line.height))
            return LabelView(
                image: resized(line, scale), layout: .code, origin: (part.x, part.y), scale: scale)
        }
    }

    private static func resized(_ image: Raster, _ scale: Double) -> Raster {
        image.resized(
            to: max(1, Int(Double(image.width) * scale)),
            max(1, Int(Double(image.height) * scale)),
            filter: scale < 1 ? .area : .lanczos3)
    }

    /// The text of the view, in pixels of the whole picture.
    func read(_ page: ReadingInput) async throws -> PageText {
        var bare = image
        bare.resolution = nil
        let text = try await page.recognizer.recognize(
            bare, languages: page.languages, layout: layout)
        return text.placed(at: origin.x, origin.y, enlarged: 1 / scale)
    }
}
