import CLeptonica
import CTesseract
import Glibc
import Recognition

/// One Tesseract engine with its languages loaded; used on one thread only.
final class Engine {
    private let handle: OpaquePointer
    /// The engine's languages, in order of preference.
    let languages: [String]
    /// True for an engine that reads only capital letters and digits, and expects no words.
    let readsCodes: Bool

    /// Loads the data of `languages`, which takes at least 60 ms (`TessBaseAPIInit3`).
    ///
    /// - Parameter readsCodes: true for capital letters and digits that form no words; the engine
    ///   then has no dictionary.
    init(_ languages: [String], readsCodes: Bool = false) throws(EngineRefusal) {
        guard let handle = TessBaseAPICreate() else { throw .cannotLoad(languages) }
        let code = Self.load(handle, languages, withoutWords: readsCodes)
        guard code == 0 else {
            TessBaseAPIDelete(handle)
            throw .cannotLoad(languages)
        }
        self.handle = handle
        self.readsCodes = readsCodes
        if readsCodes {
            TessBaseAPISetVariable(
                handle, "tessedit_char_whitelist", "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789:-. ")
        }
        self.languages = languages
        // The engine's remarks on a page ("Detected 7 diacritics") are not errors.
        TessBaseAPISetVariable(handle, "debug_file", "/dev/null")
    }

    /// Dictionaries can be switched off only while the data is loaded (`TessBaseAPIInit4`).
    private static func load(
        _ handle: OpaquePointer, _ languages: [String], withoutWords: Bool
    ) -> Int32 {
        let names = languages.joined(separator: "+")
        guard withoutWords else { return TessBaseAPIInit3(handle, TessdataFolder.current, names) }
        let dictionaries = [
            "load_system_dawg", "load_freq_dawg", "load_unambig_dawg", "load_punc_dawg",
            "load_number_dawg", "load_bigram_dawg",
        ]
        var keys = dictionaries.map { strdup($0) }
        var values = dictionaries.map { _ in strdup("0") }
        defer { (keys + values).forEach { free($0) } }
        return TessBaseAPIInit4(
            handle, TessdataFolder.current, names, OEM_DEFAULT, nil, 0, &keys, &values,
            dictionaries.count, 0)
    }

    deinit {
        TessBaseAPIEnd(handle)
        TessBaseAPIDelete(handle)
    }

    /// Reads the text of a page within `milliseconds` (`TessBaseAPIRecognize`), as lines of the
    /// request `reading`.
    ///
    /// If many letters are left out, they are read again as sparse text: the engine mistakes the
    /// cells of ruled tables for pictures.
    func read(
        _ page: PreparedPage, _ layout: TextLayout, milliseconds: Int, reading: Int
    ) throws(EngineRefusal) -> (lines: [ReaderWire.Line], answer: ReaderWire.ReadAnswer) {
        let end = ContinuousClock.now + .milliseconds(milliseconds)
        let mode =
            switch layout {
            case .any: PSM_AUTO
            case .block: PSM_SINGLE_BLOCK
            case .sparse: PSM_SPARSE_TEXT
            case .line: PSM_SINGLE_LINE
            case .code: PSM_SINGLE_LINE
            }
        var lines = try read(page, mode, until: end, milliseconds: milliseconds, reading: reading)
        guard layout == .any || layout == .sparse else {
            return (lines, answer(about: lines, nil))
        }
        var shapes = UnreadShapes(page.shapes, width: page.width, height: page.height)
        for line in lines { line.words.forEach { shapes.cover($0) } }
        let few = max(Self.fewUnread, Int(Self.unreadShare * Double(shapes.count)))
        if layout == .sparse {
            // The engine returns sparse text in the order of places on the page, not of rows.
            for index in lines.indices { lines[index].block = nil }
        }
        // If the second reading takes too long, the first one stays.
        if layout == .any, shapes.unread > few,
            let sparse = try? read(
                page, PSM_SPARSE_TEXT, until: end, milliseconds: milliseconds, reading: reading)
        {
            let added = sparse.compactMap { line in
                var line = line
                line.words.removeAll { shapes.covers($0) || $0.confidence < Self.leastSure }
                line.block = nil
                return line.words.isEmpty ? nil : line
            }
            for line in added { line.words.forEach { shapes.cover($0) } }
            // In a table most lines are new, so all lines are put in order together.
            if added.count > lines.count {
                for index in lines.indices { lines[index].block = nil }
            }
            lines += added
        }
        return (lines, answer(about: lines, shapes))
    }

    private func answer(
        about lines: [ReaderWire.Line], _ shapes: UnreadShapes?
    ) -> ReaderWire.ReadAnswer {
        var answer = ReaderWire.ReadAnswer(shapes: shapes?.count, unread: shapes?.unread)
        // The engine looks words up in the dictionary of its first language only.
        guard languages.count == 1, !readsCodes else { return answer }
        let words = DictionaryWords(lines).words
        answer.lookedUp = words.count
        answer.known = words.count { isKnown($0) || isKnown($0.lowercased()) }
        return answer
    }

    /// True if a word is in the dictionary of the engine's first language.
    private func isKnown(_ word: String) -> Bool { TessBaseAPIIsValidWord(handle, word) > 0 }

    /// The maximum number of letters that may be left out without a second reading.
    private static let fewUnread = 20
    /// The maximum fraction of the letters that may be left out.
    private static let unreadShare = 0.1
    /// Words of the second reading with less confidence than this are probably ruled lines or
    /// noise.
    private static let leastSure = 0.3

    private func read(
        _ page: PreparedPage, _ mode: TessPageSegMode, until end: ContinuousClock.Instant,
        milliseconds: Int, reading: Int
    ) throws(EngineRefusal) -> [ReaderWire.Line] {
        TessBaseAPISetPageSegMode(handle, mode)
        load(page)
        defer { TessBaseAPIClear(handle) }
        let monitor = TessMonitorCreate()
        defer { TessMonitorDelete(monitor) }
        let left = Int((end - .now) / .milliseconds(1))
        TessMonitorSetDeadlineMSecs(monitor, Int32(clamping: max(left, 1)))
        guard TessBaseAPIRecognize(handle, monitor) == 0 else {
            // The engine reports the same for a page past its deadline and for one on which it
            // finds no segments.
            guard ContinuousClock.now < end else { throw .tookTooLong(milliseconds) }
            return []
        }
        guard let results = TessBaseAPIGetIterator(handle) else { return [] }
        defer { TessResultIteratorDelete(results) }
        return ResultReader(results, page).lines(of: reading)
    }

    /// Determines a page's orientation (`TessBaseAPIDetectOrientationScript`); nil when it has too
    /// little text.
    ///
    /// Needs the language `osd`.
    func orientation(of page: PreparedPage) -> OrientationGuess? {
        load(page)
        defer { TessBaseAPIClear(handle) }
        var degrees: Int32 = 0
        var confidence: Float = 0
        guard
            TessBaseAPIDetectOrientationScript(handle, &degrees, &confidence, nil, nil) != 0,
            confidence.isFinite
        else { return nil }
        return OrientationGuess(
            quarterTurns: ((4 - Int(degrees) / 90) % 4 + 4) % 4,
            confidence: Double(max(confidence, 0)))
    }

    private func load(_ page: PreparedPage) {
        TessBaseAPISetImage2(handle, page.picture.pix)
        if let resolution = page.resolution {
            TessBaseAPISetSourceResolution(handle, Int32(resolution))
        }
    }
}

/// The reason why the engine does not read a page; reading it again would not help.
enum EngineRefusal: Error {
    case cannotLoad([String])
    case tookTooLong(Int)

    var description: String {
        switch self {
        case .cannotLoad(let languages):
            "The data for \(languages.joined(separator: "+")) is damaged or of another version. Reinstall the tesseract-ocr packages of these languages."
        case .tookTooLong(let limit):
            "The text of a page could not be read within \(limit) ms. The page is saved without text; scan it at a lower resolution or crop it, and read it again."
        }
    }
}
