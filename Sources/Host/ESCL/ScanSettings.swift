/// A client's scan request (`scan:ScanSettings`); omitted settings are nil.
public struct ScanSettings: Hashable, Sendable {
    /// The source of pages.
    public var source: ScanSource?
    /// The part of the glass.
    public var region: ScanRegion?
    /// The kind of samples.
    public var colorMode: ColorMode?
    /// The horizontal dots per inch.
    public var xResolution: Int?
    /// The vertical dots per inch.
    public var yResolution: Int?
    /// The format of the answer.
    public var format: DocumentFormat?
    /// The brightness, in the scale of the device's option.
    public var brightness: Int?
    /// The contrast, in the scale of the device's option.
    public var contrast: Int?

    /// Settings; none by default.
    public init(
        source: ScanSource? = nil, region: ScanRegion? = nil, colorMode: ColorMode? = nil,
        xResolution: Int? = nil, yResolution: Int? = nil, format: DocumentFormat? = nil,
        brightness: Int? = nil, contrast: Int? = nil
    ) {
        (self.source, self.region, self.colorMode) = (source, region, colorMode)
        (self.xResolution, self.yResolution, self.format) = (xResolution, yResolution, format)
        (self.brightness, self.contrast) = (brightness, contrast)
    }

    /// Reads a document that a client sent.
    ///
    /// Unknown elements and white space before the document are skipped; omitted settings are nil.
    ///
    /// - Throws: ``ESCLError`` for any other document, or an impossible value.
    public init(_ bytes: [UInt8]) throws(ESCLError) {
        let document = try XMLDocument(bytes)
        guard document.root == "ScanSettings" else {
            throw ESCLError("The document is not ScanSettings, but '\(document.root.prefix(100))'.")
        }
        var fields = Fields()
        for leaf in document.leaves { fields.take(leaf) }
        self.init()
        source = try fields.source()
        region = try fields.region()
        colorMode = try fields["ColorMode"].map { text throws(ESCLError) in
            guard let mode = ColorMode(rawValue: text) else {
                throw Fields.unknown("ColorMode", text, ColorMode.allCases.map(\.rawValue))
            }
            return mode
        }
        xResolution = try fields.number("XResolution", 1...9600)
        yResolution = try fields.number("YResolution", 1...9600)
        let form = fields["DocumentFormatExt"] ?? fields["DocumentFormat"]
        format = try form.map { text throws(ESCLError) in
            guard let format = DocumentFormat(rawValue: text.lowercased()) else {
                throw Fields.unknown(
                    "DocumentFormat", text, DocumentFormat.allCases.map(\.rawValue))
            }
            return format
        }
        brightness = try fields.number("Brightness", -1000...1000)
        contrast = try fields.number("Contrast", -1000...1000)
    }
}

/// The known elements of a client's document.
private struct Fields {
    /// The values of elements directly below the root, by name.
    private var values: [String: String] = [:]
    /// The values of elements of the first region, by name.
    private var area: [String: String] = [:]

    subscript(_ name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }

    mutating func take(_ leaf: XMLDocument.Leaf) {
        guard let name = leaf.path.last else { return }
        // Only one region is supported, so the first one counts.
        if leaf.path.contains("ScanRegion") {
            if area[name] == nil { area[name] = leaf.text }
        } else if leaf.path.count == 2, values[name] == nil {
            values[name] = leaf.text
        }
    }

    func source() throws(ESCLError) -> ScanSource? {
        guard let text = self["InputSource"] else { return nil }
        switch text {
        case "Platen", "Flatbed": return .platen
        case "Feeder", "Adf":
            return ["true", "1"].contains(self["Duplex"]) ? .feederDuplex : .feeder
        default: throw Self.unknown("InputSource", text, ["Platen", "Feeder"])
        }
    }

    func region() throws(ESCLError) -> ScanRegion? {
        guard !area.isEmpty else { return nil }
        guard let width = try Self.number("Width", area["Width"], 1...120_000),
            let height = try Self.number("Height", area["Height"], 1...120_000)
        else { throw ESCLError("The ScanRegion has no Width and Height.") }
        return ScanRegion(
            x: try Self.number("XOffset", area["XOffset"], 0...120_000) ?? 0,
            y: try Self.number("YOffset", area["YOffset"], 0...120_000) ?? 0, width: width,
            height: height)
    }

    func number(_ name: String, _ range: ClosedRange<Int>) throws(ESCLError) -> Int? {
        try Self.number(name, self[name], range)
    }

    private static func number(_ name: String, _ text: String?, _ range: ClosedRange<Int>)
        throws(ESCLError) -> Int?
    {
        guard let text else { return nil }
        guard let number = Int(text), range.contains(number) else {
            throw ESCLError(
                "\(name) is '\(text.prefix(100))', but must be a whole number from \(range.lowerBound) to \(range.upperBound)."
            )
        }
        return number
    }

    static func unknown(_ name: String, _ text: String, _ known: [String]) -> ESCLError {
        ESCLError(
            "\(name) is '\(text.prefix(100))', but may be: \(known.joined(separator: ", ")).")
    }
}

extension Optional {
    /// Transforms the value like `map`, for a transformation that throws one type of error.
    fileprivate func map<Value>(
        _ transform: (Wrapped) throws(ESCLError) -> Value
    ) throws(ESCLError) -> Value? {
        guard let self else { return nil }
        return try transform(self)
    }
}
