/// The properties of a scan with a client's settings, without scanning (`scan:ScanBufferInfo`).
public struct ScanBufferInfo: Hashable, Sendable {
    /// The settings that a scan would use.
    public var settings: ScanSettings
    /// The width in pixels.
    public var width: Int
    /// The height in pixels.
    public var height: Int
    /// The bytes in a row of samples.
    public var bytesPerLine: Int

    /// The properties for settings, which must have a region and a resolution.
    public init(settings: ScanSettings) {
        self.settings = settings
        let region = settings.region ?? ScanRegion(x: 0, y: 0, width: 1, height: 1)
        width = max(1, region.width * (settings.xResolution ?? 300) / 300)
        height = max(1, region.height * (settings.yResolution ?? 300) / 300)
        bytesPerLine =
            switch settings.colorMode {
            case .blackAndWhite: (width + 7) / 8
            case .gray: width
            case .color, nil: width * 3
            }
    }

    /// The document that clients read.
    public var document: [UInt8] {
        XMLElement(
            "scan:ScanBufferInfo",
            [
                XMLElement("scan:ScanSettings", elements), XMLElement("scan:ImageWidth", width),
                XMLElement("scan:ImageHeight", height),
                XMLElement("scan:BytesPerLine", bytesPerLine),
            ]
        ).document
    }

    private var elements: [XMLElement?] {
        [
            XMLElement("pwg:Version", ESCLNames.version),
            settings.region.map { region in
                XMLElement(
                    "pwg:ScanRegions",
                    [
                        XMLElement(
                            "pwg:ScanRegion",
                            [
                                XMLElement("pwg:Height", region.height),
                                XMLElement(
                                    "pwg:ContentRegionUnits", "escl:ThreeHundredthsOfInches"),
                                XMLElement("pwg:Width", region.width),
                                XMLElement("pwg:XOffset", region.x),
                                XMLElement("pwg:YOffset", region.y),
                            ])
                    ])
            },
            settings.source.map {
                XMLElement("pwg:InputSource", $0 == .platen ? "Platen" : "Feeder")
            },
            settings.source == .feederDuplex ? XMLElement("scan:Duplex", "true") : nil,
            settings.colorMode.map { XMLElement("scan:ColorMode", $0.rawValue) },
            settings.xResolution.map { XMLElement("scan:XResolution", $0) },
            settings.yResolution.map { XMLElement("scan:YResolution", $0) },
            settings.format.map { XMLElement("pwg:DocumentFormat", $0.rawValue) },
        ]
    }
}
