import CaptureKit

/// Drivers' names for the settings that every scanner has: the only table of names and values.
///
/// For a new driver's spelling, add an entry here, and the driver's list of options to the tests.
enum Spellings {
    // MARK: Sources of pages

    static let sourceOptions = ["source", "scan-source", "doc-source", "document-source"]

    static let sources: [Spelling] = [
        // Slides, films and cameras have no common name, whatever words their own has; they stay
        // reachable as `sane-source`.
        Spelling(
            nil,
            words: [
                "transparen", "tpu", "tma", "slide", "negative", "positive", "film", "camera",
                "card",
            ]),
        Spelling(
            "feeder-duplex", exact: ["duplex", "adf front/back", "adf both sides", "both sides"],
            words: ["duplex", "two-sided", "2-sided", "double-sided"]),
        Spelling(nil, words: [" back", "(back", "rear side"]),
        Spelling("auto", exact: ["auto", "automatic", "automatic selection"]),
        Spelling(
            "feeder", exact: ["automatic document feeder", "adf", "adf front", "feeder"],
            words: ["adf", "feeder", "sheetfed", "sheet feed"]),
        Spelling(
            "flatbed", exact: ["flatbed", "document table", "fb", "normal", "flatben"],
            words: ["flatbed", "flat bed", "document table", "platen", "glass"]),
    ]

    /// Options that choose both sides of a sheet in addition to the source, with their values for
    /// one side and for both.
    static let sides: [Switch] = [
        Switch("duplex", off: .toggle(false), on: .toggle(true)),
        Switch("adf-mode", off: .text("Simplex"), on: .text("Duplex")),
        Switch("adf_mode", off: .text("Simplex"), on: .text("Duplex")),
        Switch("duplex", off: .text("None"), on: .text("Both")),
    ]

    /// Options that must be on with the feeder and off without it.
    static let feederSwitches = [Switch("batch-scan", off: .toggle(false), on: .toggle(true))]

    /// Words in SANE's description of a device's type that mean a feeder and no glass.
    static let feederOnlyTypes = ["sheetfed", "sheet-fed", "sheet fed", "feeder", "adf"]

    // MARK: Colors

    static let modeOptions = ["mode", "scan-mode", "image-type", "image-mode", "color-mode"]

    static let modes: [Spelling] = [
        // Dithered black and white, and values that only look like modes.
        Spelling(nil, words: ["halftone", "diffusion", "dither", "infrared", "negative"]),
        Spelling(
            "bilevel",
            exact: [
                "lineart", "binary", "black & white", "black and white", "bw", "b&w",
                "black/white", "monochrome", "mono",
            ], words: ["lineart", "line art", "black & white", "black and white", "monochrome"]),
        Spelling(
            "gray",
            exact: [
                "gray", "grayscale", "grey", "greyscale", "true gray", "gray8", "8-bit gray",
                "8 bits gray",
            ], words: ["gray", "grey"]),
        Spelling(
            "color",
            exact: [
                "color", "colour", "color24", "24bit color", "24-bit color", "24 bits color",
                "24 bit color",
                "full color", "true color", "rgb",
            ], words: ["color", "colour", "rgb"]),
    ]

    /// Options for the bits in a sample, by which drivers without a mode for black and white choose
    /// it.
    static let depthOptions = ["depth", "bit-depth"]

    // MARK: Numbers

    static let resolutionOptions = ["resolution", "x-resolution", "scan-resolution"]
    static let verticalResolutionOptions = ["y-resolution"]
    static let brightnessOptions = ["brightness", "luminance", "lightness"]
    static let contrastOptions = ["contrast"]

    // MARK: Geometry

    static let left = ["tl-x"]
    static let top = ["tl-y"]
    static let right = ["br-x"]
    static let bottom = ["br-y"]
    /// The paper size that feeders need, in addition to the area.
    static let paperWidth = ["page-width", "pagewidth"]
    static let paperHeight = ["page-height", "pageheight"]

    /// Options that end a page where the paper ends, so that it may be shorter than
    /// announced.
    static let automaticLength = [
        "ald", "swcrop", "auto-size", "autodetect-size", "length-control",
    ]

    // MARK: Sensors

    static let doubleFeedSensors = ["double-feed"]

    /// Options that report events at the scanner; an option that can be set is never among them.
    static let sensors: [SensorSpelling] = [
        SensorSpelling(
            sensor: .button,
            names: [
                "scan", "scan-sw", "start", "stop", "cancel", "copy", "email", "e-mail", "fax",
                "file", "newfile", "print", "web", "send", "ocr", "pdf", "pdf1", "pdf2", "pdf3",
                "pdf4", "power", "extra", "transp",
                // Texts that name the button: hp5590, avision.
                "button-pressed", "message",
            ], prefix: "button"),
        SensorSpelling(
            sensor: .paper,
            names: [
                "page-loaded", "adf-loaded", "card-loaded", "paper-in", "paper-loaded",
                "adf-paper", "doc-in-adf", "doc-loaded", "document-loaded",
            ]),
        SensorSpelling(
            sensor: .cover,
            names: ["cover-open", "adf-open", "adf-cover-open", "door-open", "lid-open"]),
    ]

    /// The values of a button with texts while none is pressed, in lower case.
    static let nothingPressed = ["", "none", "no button"]
}

/// A common value and drivers' names for it.
struct Spelling: Sendable {
    /// Our name; nil for known values without one.
    var common: String?
    /// Complete names in lower case, with the best first.
    var exact: [String]
    /// Parts of names, in lower case.
    var words: [String]

    init(_ common: String?, exact: [String] = [], words: [String] = []) {
        self.common = common
        self.exact = exact
        self.words = words
    }

    /// For each common name, the driver's value with the same meaning: an exact name before one
    /// that contains a known word, and of several the first.
    static func sort(_ values: [String], _ table: [Spelling]) -> [(common: String, native: String)]
    {
        var found: [(common: String, native: String)] = []
        let named = values.map { (native: $0, meaning: meaning(of: $0, table)) }
        for spelling in table {
            guard let common = spelling.common else { continue }
            let candidates = named.filter { $0.meaning == common }.map(\.native)
            let exact = spelling.exact.lazy.compactMap { name in
                candidates.first { $0.lowercased() == name }
            }.first
            if let native = exact ?? candidates.first { found.append((common, native)) }
        }
        return found
    }

    /// The common meaning of a driver's value; nil for an unknown one.
    static func meaning(of value: String, _ table: [Spelling]) -> String? {
        let value = value.lowercased()
        if let exact = table.first(where: { $0.exact.contains(value) }) { return exact.common }
        return table.first { $0.words.contains { value.contains($0) } }?.common
    }
}

/// An option that is switched on and off together with another one.
struct Switch: Sendable {
    var option: String
    var off: NativeValue
    var on: NativeValue

    init(_ option: String, off: NativeValue, on: NativeValue) {
        self.option = option
        self.off = off
        self.on = on
    }

    /// The native option, when the driver has it in this form.
    func native(in options: NativeOptions) -> NativeOption? {
        guard let native = options[option], native.isSettable else { return nil }
        switch (native.kind, on) {
        case (.toggle, .toggle): return native
        case (.text, .text(let on)):
            guard case .texts(let texts) = native.constraint, texts.contains(on) else { return nil }
            return native
        default: return nil
        }
    }
}
