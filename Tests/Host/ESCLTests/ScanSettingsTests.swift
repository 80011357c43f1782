import ESCL
import Testing

/// Tests settings as clients send them, and settings that no client should send.
@Suite struct ScanSettingsTests {
    /// A document with this content, in the namespaces that clients use.
    private func document(_ inside: String) -> [UInt8] {
        Array(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <scan:ScanSettings xmlns:pwg="http://www.pwg.org/schemas/2010/12/sm" \
            xmlns:scan="http://schemas.hp.com/imaging/escl/2011/05/03">\(inside)</scan:ScanSettings>
            """.utf8)
    }

    private let region = """
        <pwg:ScanRegions><pwg:ScanRegion><pwg:Height>1200</pwg:Height>\
        <pwg:ContentRegionUnits>escl:ThreeHundredthsOfInches</pwg:ContentRegionUnits>\
        <pwg:Width>600</pwg:Width><pwg:XOffset>30</pwg:XOffset><pwg:YOffset>60</pwg:YOffset>\
        </pwg:ScanRegion></pwg:ScanRegions>
        """

    @Test("A whole order is read") func whole() throws {
        let settings = try ScanSettings(
            document(
                """
                <pwg:Version>2.6</pwg:Version><scan:Intent>Photo</scan:Intent>\(region)
                <pwg:InputSource>Feeder</pwg:InputSource><scan:Duplex>true</scan:Duplex>
                <scan:ColorMode>Grayscale8</scan:ColorMode><scan:XResolution>200</scan:XResolution>
                <scan:YResolution>100</scan:YResolution>
                <pwg:DocumentFormat>image/jpeg</pwg:DocumentFormat>
                <scan:DocumentFormatExt>application/pdf</scan:DocumentFormatExt>
                <scan:Brightness>-20</scan:Brightness><scan:Contrast> 5 </scan:Contrast>
                """))
        #expect(
            settings
                == ScanSettings(
                    source: .feederDuplex,
                    region: ScanRegion(x: 30, y: 60, width: 600, height: 1200), colorMode: .gray,
                    xResolution: 200, yResolution: 100, format: .pdf, brightness: -20, contrast: 5))
    }

    @Test(
        "All names for sources that clients use are understood",
        arguments: [
            ("Platen", nil, ScanSource.platen), ("Flatbed", nil, .platen),
            ("Feeder", nil, .feeder), ("Adf", "false", .feeder), ("Feeder", "1", .feederDuplex),
        ] as [(String, String?, ScanSource)])
    func sources(_ name: String, _ duplex: String?, _ source: ScanSource) throws {
        let both = duplex.map { "<scan:Duplex>\($0)</scan:Duplex>" } ?? ""
        let settings = try ScanSettings(
            document("<pwg:InputSource>\(name)</pwg:InputSource>\(both)"))
        #expect(settings.source == source)
    }

    @Test("A missing value is nil, and an unknown one is ignored") func lenient() throws {
        #expect(try ScanSettings(document("")) == ScanSettings())
        let settings = try ScanSettings(
            document(
                """
                <x:XResolution xmlns:x="urn:other">7</x:XResolution><scan:Future><scan:XResolution>8\
                </scan:XResolution></scan:Future><scan:XResolution>300</scan:XResolution>
                """))
        #expect(settings == ScanSettings(xResolution: 300))
    }

    @Test("White space before the declaration and missing namespaces are accepted")
    func sloppy() throws {
        #expect(
            try ScanSettings(
                Array("\r\n ".utf8) + document("<scan:ColorMode>RGB24</scan:ColorMode>")
            )
            .colorMode == .color)
        #expect(
            try ScanSettings(
                Array("<ScanSettings><ColorMode>RGB24</ColorMode></ScanSettings>".utf8)
            ).colorMode == .color)
    }

    @Test("If there are several regions, the first is used") func regions() throws {
        let second = region.replacing("600", with: "900")
        #expect(
            try ScanSettings(document(region + second)).region
                == ScanRegion(x: 30, y: 60, width: 600, height: 1200))
    }

    @Test(
        "Impossible values are refused by name",
        arguments: [
            ("<pwg:InputSource>Camera</pwg:InputSource>", "InputSource is 'Camera'"),
            ("<scan:ColorMode>CMYK32</scan:ColorMode>", "ColorMode is 'CMYK32'"),
            ("<scan:XResolution>0</scan:XResolution>", "XResolution is '0'"),
            ("<scan:XResolution>-300</scan:XResolution>", "XResolution is '-300'"),
            ("<scan:XResolution>99999999999999999999</scan:XResolution>", "XResolution is '9999"),
            (
                "<pwg:DocumentFormat>text/plain</pwg:DocumentFormat>",
                "DocumentFormat is 'text/plain'"
            ),
            (
                "<pwg:ScanRegions><pwg:ScanRegion><pwg:Width>0</pwg:Width></pwg:ScanRegion></pwg:ScanRegions>",
                "Width is '0'"
            ),
            (
                "<pwg:ScanRegions><pwg:ScanRegion><pwg:Width>9</pwg:Width></pwg:ScanRegion></pwg:ScanRegions>",
                "has no Width and Height"
            ),
        ])
    func refused(_ inside: String, _ said: String) {
        let error = #expect(throws: ESCLError.self) { try ScanSettings(document(inside)) }
        #expect(error?.message.contains(said) == true, "\(error?.message ?? "")")
        #expect(error?.isOurs == false)
    }

    @Test(
        "Bytes that are not a document, and XML bombs, are refused before they grow",
        arguments: [
            ("", "no document"), ("   \n", "no document"), ("hello", "not well-formed"),
            ("<a><b></a></b>", "not well-formed"), ("<scan:ScanSettings/>", "not well-formed"),
            ("<ScanSettings>", "not well-formed"), ("<ScanSettings/><more/>", "not well-formed"),
            ("<Other/>", "not ScanSettings, but 'Other'"),
            ("<!DOCTYPE ScanSettings><ScanSettings/>", "document type"),
            (
                "<!DOCTYPE a [<!ENTITY b \"bbbbbbbbbb\"><!ENTITY c \"&b;&b;&b;\">]><ScanSettings>&c;</ScanSettings>",
                "document type"
            ),
            (
                "<!DOCTYPE a [<!ENTITY b SYSTEM \"file:///etc/passwd\">]><ScanSettings><Intent>&b;</Intent></ScanSettings>",
                "document type"
            ),
            ("<ScanSettings>&undefined;</ScanSettings>", "not well-formed"),
        ])
    func hostile(_ text: String, _ said: String) {
        let error = #expect(throws: ESCLError.self) { try ScanSettings(Array(text.utf8)) }
        #expect(error?.message.contains(said) == true, "\(error?.message ?? "")")
    }

    @Test("Depth, number and length of elements are bounded") func bounds() {
        let deep = String(repeating: "<a>", count: 13) + String(repeating: "</a>", count: 13)
        let many = String(repeating: "<a/>", count: 1001)
        let long = "<Intent>" + String(repeating: "x", count: 1025) + "</Intent>"
        for inside in [deep, many, long] {
            let error = #expect(throws: ESCLError.self) {
                try ScanSettings(Array("<ScanSettings>\(inside)</ScanSettings>".utf8))
            }
            #expect(error?.message.contains("too large") == true)
        }
        let allowed =
            String(repeating: "<a>", count: 11) + String(repeating: "</a>", count: 11)
            + String(repeating: "<a/>", count: 900)
        #expect(throws: Never.self) {
            try ScanSettings(Array("<ScanSettings>\(allowed)</ScanSettings>".utf8))
        }
    }

    @Test("Bytes of any kind are refused or read, and nothing else happens") func noise() {
        var state: UInt64 = 30
        let base = document(region)
        for _ in 0..<2000 {
            var bytes = base
            for _ in 0..<4 {
                state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
                bytes[Int(state >> 33) % bytes.count] = UInt8(truncatingIfNeeded: state >> 24)
            }
            if let settings = try? ScanSettings(bytes), let region = settings.region {
                #expect(region.width > 0 && region.height > 0 && region.x >= 0 && region.y >= 0)
            }
        }
    }
}

/// Tests the documents that clients get.
@Suite struct ESCLDocumentTests {
    private let input = ScannerCapabilities.Input(
        least: (10, 20), most: (2550, 3508), colorModes: [.gray, .color], resolutions: [100, 300])

    @Test("Names cannot break out of their element") func escaped() {
        let text = String(
            decoding: ScannerCapabilities(
                name: "A<b>&\u{1}\"c\" \u{FFFE}é", uuid: "u", inputs: [.platen: input]
            ).document, as: UTF8.self)
        #expect(text.contains("<pwg:MakeAndModel>A&lt;b&gt;&amp;\"c\" é</pwg:MakeAndModel>"))
        #expect(text.contains("<scan:MaxWidth>2550</scan:MaxWidth>"))
        #expect(!text.contains("scan:Adf>"))
    }

    @Test("A feeder is listed with its capabilities") func feeder() {
        let text = String(
            decoding: ScannerCapabilities(
                name: "N", uuid: "u", inputs: [.feeder: input, .feederDuplex: input],
                sensesPaper: true, brightness: .init(least: -100, most: 100, usual: 0)
            ).document, as: UTF8.self)
        #expect(!text.contains("scan:Platen"))
        #expect(text.contains("<scan:AdfSimplexInputCaps>"))
        #expect(text.contains("<scan:AdfDuplexInputCaps>"))
        #expect(text.contains("<scan:AdfOption>DetectPaperLoaded</scan:AdfOption>"))
        #expect(text.contains("<scan:AdfOption>Duplex</scan:AdfOption>"))
        #expect(text.contains("<scan:Min>-100</scan:Min>"))
    }

    @Test(
        "The state combines the states of the device and of its feeder",
        arguments: [
            (false, .loaded, "Idle"), (true, .loaded, "Processing"), (false, .jammed, "Stopped"),
            (false, .open, "Stopped"), (false, .empty, "Idle"), (false, nil, "Idle"),
        ] as [(Bool, ScannerStatus.Feeder?, String)])
    func state(_ isBusy: Bool, _ feeder: ScannerStatus.Feeder?, _ word: String) {
        let text = String(
            decoding: ScannerStatus(isBusy: isBusy, feeder: feeder).document, as: UTF8.self)
        #expect(text.contains("<pwg:State>\(word)</pwg:State>"))
        #expect(text.contains("scan:AdfState") == (feeder != nil))
        if let feeder { #expect(text.contains(">\(feeder.rawValue)<")) }
    }

    @Test(
        "Lengths are whole 1/300 inches within the millimeters",
        arguments: [
            (25.4, 300), (215.9, 2550), (216, 2551), (0, 0), (-3, 0), (.nan, 0), (.infinity, 0),
            (1e12, 118_110),
        ])
    func units(_ millimeters: Double, _ units: Int) {
        #expect(ScanRegion.units(millimeters) == units)
    }
}
