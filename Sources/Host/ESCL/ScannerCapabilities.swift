/// The capabilities of a shared device, in the form for clients (`scan:ScannerCapabilities`).
public struct ScannerCapabilities: Hashable, Sendable {
    /// The capabilities of one source.
    public struct Input: Hashable, Sendable {
        /// The minimum width and height in units of 1/300 inch, at least 1.
        public var least: (width: Int, height: Int)
        /// The maximum width and height in units of 1/300 inch.
        public var most: (width: Int, height: Int)
        /// The kinds of samples; at least one.
        public var colorModes: [ColorMode]
        /// The resolutions in dots per inch, ascending; at least one.
        public var resolutions: [Int]

        /// The capabilities of one source.
        public init(
            least: (width: Int, height: Int), most: (width: Int, height: Int),
            colorModes: [ColorMode], resolutions: [Int]
        ) {
            self.least = least
            self.most = most
            self.colorModes = colorModes
            self.resolutions = resolutions
        }

        /// True if both have the same capabilities.
        public static func == (left: Input, right: Input) -> Bool {
            left.least == right.least && left.most == right.most
                && left.colorModes == right.colorModes && left.resolutions == right.resolutions
        }

        /// Hashes the values that `==` compares.
        public func hash(into hasher: inout Hasher) {
            hasher.combine(most.width)
            hasher.combine(most.height)
            hasher.combine(colorModes)
            hasher.combine(resolutions)
        }
    }

    /// The possible values of a number.
    public struct Span: Hashable, Sendable {
        /// The minimum value.
        public var least: Int
        /// The maximum value.
        public var most: Int
        /// The default value.
        public var usual: Int
        /// The step from one value to the next, at least 1.
        public var step: Int

        /// Values from `least` to `most`.
        public init(least: Int, most: Int, usual: Int, step: Int = 1) {
            (self.least, self.most, self.usual, self.step) = (least, most, usual, step)
        }
    }

    /// The device's name in clients' lists.
    public var name: String
    /// The device's UUID, in the form of RFC 9562.
    public var uuid: String
    /// The address of a web page about the device; nil for none.
    public var adminAddress: String?
    /// The address of the device's picture; nil for none.
    public var iconAddress: String?
    /// The capabilities of each source; at least one.
    public var inputs: [ScanSource: Input]
    /// True when the feeder reports whether it has paper.
    public var sensesPaper: Bool
    /// The values of brightness; nil for none.
    public var brightness: Span?
    /// The values of contrast; nil for none.
    public var contrast: Span?

    /// The capabilities of a device.
    public init(
        name: String, uuid: String, adminAddress: String? = nil, iconAddress: String? = nil,
        inputs: [ScanSource: Input], sensesPaper: Bool = false, brightness: Span? = nil,
        contrast: Span? = nil
    ) {
        (self.name, self.uuid) = (name, uuid)
        (self.adminAddress, self.iconAddress) = (adminAddress, iconAddress)
        (self.inputs, self.sensesPaper) = (inputs, sensesPaper)
        (self.brightness, self.contrast) = (brightness, contrast)
    }

    /// The document that clients read.
    public var document: [UInt8] {
        XMLElement(
            "scan:ScannerCapabilities",
            [
                XMLElement("pwg:Version", ESCLNames.version), XMLElement("pwg:MakeAndModel", name),
                XMLElement("pwg:SerialNumber", uuid), XMLElement("scan:UUID", uuid),
                adminAddress.map { XMLElement("scan:AdminURI", $0) },
                iconAddress.map { XMLElement("scan:IconURI", $0) },
                inputs[.platen].map {
                    XMLElement("scan:Platen", [Self.element("scan:PlatenInputCaps", $0)])
                }, feeder, Self.element("scan:BrightnessSupport", brightness),
                Self.element("scan:ContrastSupport", contrast),
            ]
        ).document
    }

    private var feeder: XMLElement? {
        guard inputs[.feeder] != nil || inputs[.feederDuplex] != nil else { return nil }
        var options = [XMLElement]()
        if sensesPaper { options.append(XMLElement("scan:AdfOption", "DetectPaperLoaded")) }
        if inputs[.feederDuplex] != nil { options.append(XMLElement("scan:AdfOption", "Duplex")) }
        return XMLElement(
            "scan:Adf",
            [
                inputs[.feeder].map { Self.element("scan:AdfSimplexInputCaps", $0) },
                inputs[.feederDuplex].map { Self.element("scan:AdfDuplexInputCaps", $0) },
                options.isEmpty ? nil : XMLElement("scan:AdfOptions", options),
            ])
    }

    private static func element(_ name: String, _ span: Span?) -> XMLElement? {
        span.map {
            XMLElement(
                name,
                [
                    XMLElement("scan:Min", $0.least), XMLElement("scan:Max", $0.most),
                    XMLElement("scan:Normal", $0.usual), XMLElement("scan:Step", $0.step),
                ])
        }
    }

    private static func element(_ name: String, _ input: Input) -> XMLElement {
        let formats = DocumentFormat.allCases.flatMap {
            [
                XMLElement("pwg:DocumentFormat", $0.rawValue),
                XMLElement("scan:DocumentFormatExt", $0.rawValue),
            ]
        }
        let profile = XMLElement(
            "scan:SettingProfile",
            [
                XMLElement(
                    "scan:ColorModes",
                    input.colorModes.map { XMLElement("scan:ColorMode", $0.rawValue) }),
                XMLElement("scan:DocumentFormats", formats),
                // sane-airscan misreads ranges, so resolutions are listed one by one.
                XMLElement(
                    "scan:SupportedResolutions",
                    [
                        XMLElement(
                            "scan:DiscreteResolutions",
                            input.resolutions.map {
                                XMLElement(
                                    "scan:DiscreteResolution",
                                    [
                                        XMLElement("scan:XResolution", $0),
                                        XMLElement("scan:YResolution", $0),
                                    ])
                            })
                    ]),
            ])
        let finest = input.resolutions.last ?? 300
        return XMLElement(
            name,
            [
                XMLElement("scan:MinWidth", input.least.width),
                XMLElement("scan:MaxWidth", input.most.width),
                XMLElement("scan:MinHeight", input.least.height),
                XMLElement("scan:MaxHeight", input.most.height),
                XMLElement("scan:MaxScanRegions", 1),
                XMLElement("scan:SettingProfiles", [profile]),
                XMLElement(
                    "scan:SupportedIntents",
                    ["Document", "TextAndGraphic", "Photo", "Preview"].map {
                        XMLElement("scan:Intent", $0)
                    }),
                XMLElement("scan:MaxOpticalXResolution", finest),
                XMLElement("scan:MaxOpticalYResolution", finest),
            ])
    }
}
