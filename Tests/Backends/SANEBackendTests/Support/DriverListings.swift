import Testing

/// Drivers' option lists, shortened to the parts for the common settings, and the expected common
/// options.
struct DriverListing: CustomTestStringConvertible, Sendable {
    var driver: String
    /// SANE's term for the kind of device.
    var type = "flatbed scanner"
    var sources: [String]
    var modes: [String]
    /// The effects of setting a common option on the driver, as `source=feeder → source=ADF`.
    var effects: [String]
    /// The paper names that must be among the choices, and those that must not.
    var papers = ["a4", "letter"]
    var notPapers: [String] = []
    /// True when the driver's geometry can't be used.
    var noArea = false
    var listing: String

    var testDescription: String { driver }
}

extension DriverListing {
    private static let glass = """
        -l 0..215.9mm [0]
        -t 0..297.18mm [0]
        -x 0..215.9mm [215.9]
        -y 0..297.18mm [297.18]
        """

    static let all: [DriverListing] = usb + feeders + network

    /// Flatbeds, with and without a feeder.
    private static let usb: [DriverListing] = [
        DriverListing(
            driver: "epson2", sources: ["flatbed", "feeder", "feeder-duplex", "auto"],
            modes: ["bilevel", "gray", "color"],
            effects: [
                "source=feeder → source=Automatic Document Feeder adf-mode=Simplex",
                "source=feeder-duplex → source=Automatic Document Feeder adf-mode=Duplex",
                "source=flatbed → source=Flatbed", "mode=bilevel → mode=Lineart",
                "mode=color → mode=Color", "brightness=-50 → brightness=-2",
            ],
            notPapers: ["a3", "legal"],
            listing: """
                Scan Mode:
                --mode Lineart|Gray|Color [Lineart]
                --depth 8|16 [inactive]
                --halftoning None|Halftone A (Hard Tone)|Halftone B (Soft Tone) [inactive]
                --brightness -4..3 [0]
                --resolution 75|150|300|600|1200|2400|4800dpi [75]
                Geometry:
                \(glass)
                Optional equipment:
                --source Flatbed|Automatic Document Feeder|Transparency Unit [Flatbed]
                --adf-mode Simplex|Duplex [Simplex]
                """),
        DriverListing(
            driver: "epkowa", sources: ["flatbed", "feeder", "feeder-duplex", "auto"],
            modes: ["bilevel", "gray", "color"],
            effects: [
                "mode=bilevel → mode=Binary", "mode=gray → mode=Gray",
                "source=feeder-duplex → source=Automatic Document Feeder adf-mode=Duplex",
                "resolution=400 → resolution=400 y-resolution=400",
            ],
            listing: """
                --mode Binary|Gray|Color [Binary]
                --depth 8|16 [8]
                --halftoning None|Halftone A (Hard Tone)|Halftone C (Net Screen) [inactive]
                --brightness -100..100 [0]
                --contrast -100..100 [0]
                --resolution 50..4800dpi [50]
                --x-resolution 50|75|100|300|400|600dpi [50] [advanced]
                --y-resolution 50|75|100|300|400|600dpi [50] [advanced]
                --source Flatbed|Automatic Document Feeder|Transparency Unit [Flatbed]
                --adf-mode Simplex|Duplex [Simplex]
                --scan-area Maximum|A4|A5 Landscape|Letter|Executive Portrait [Maximum]
                \(glass)
                """),
        DriverListing(
            driver: "pixma", sources: ["flatbed", "feeder", "feeder-duplex", "auto"],
            modes: ["bilevel", "gray", "color"],
            effects: [
                "source=feeder → source=Automatic Document Feeder",
                "source=feeder-duplex → source=ADF Duplex", "mode=gray → mode=Gray",
                "resolution=200 → resolution=150",
            ],
            listing: """
                --resolution auto|75|150|300|600|1200dpi [75]
                --mode auto|Color|Gray|48 bits color|16 bits gray|Lineart [Color]
                --source Flatbed|Automatic Document Feeder|ADF Duplex [Flatbed]
                --button-controlled[=(yes|no)] [no]
                -l auto|0..216.069mm [0]
                -t auto|0..297.011mm [0]
                -x auto|0..216.069mm [216.069]
                -y auto|0..297.011mm [297.011]
                --button-1 <int> [0] [read-only]
                """),
        DriverListing(
            driver: "genesys", sources: ["flatbed"], modes: ["gray", "color"],
            effects: [
                "source=flatbed → source=Flatbed", "mode=color → mode=Color",
                "resolution=301 → resolution=300",
            ],
            listing: """
                --mode Color|Gray [Gray]
                --source Flatbed|Transparency Adapter [Flatbed]
                --depth 8|16 [8]
                --resolution 75|150|300|600|1200|2400|4800dpi [75]
                --brightness -100..100 (in steps of 1) [0]
                --contrast -100..100 (in steps of 1) [0]
                -l 0..216.7mm [0]
                -t 0..297.5mm [0]
                -x 0..216.7mm [216.7]
                -y 0..297.5mm [297.5]
                --scan[=(yes|no)] [no] [hardware]
                """),
        DriverListing(
            driver: "plustek", sources: ["flatbed"], modes: ["bilevel", "gray", "color"],
            effects: ["source=flatbed → source=Normal", "mode=bilevel → mode=Lineart"],
            listing: """
                --mode Lineart|Gray|Color [Color]
                --depth 8|14bit [8]
                --source Normal|Transparency|Negative [Normal]
                --resolution 50..1200dpi [50]
                -l 0..215mm [0]
                -t 0..297mm [0]
                -x 0..215mm [103]
                -y 0..297mm [76.21]
                --brightness -100..100% (in steps of 1) [0]
                """),
        DriverListing(
            driver: "avision", sources: ["flatbed", "feeder", "feeder-duplex", "auto"],
            modes: ["bilevel", "gray", "color"],
            effects: [
                "source=flatbed → source=Normal", "source=feeder → source=ADF Front",
                "source=feeder-duplex → source=ADF Duplex", "mode=gray → mode=Gray",
                "mode=color → mode=Color",
            ],
            listing: """
                --mode Lineart|Dithered|16bit Gray|Gray|16bit Color|Color [Color]
                --resolution 50..4800dpi (in steps of 1) [150]
                --source Normal|ADF Front|ADF Back|ADF Duplex [Normal]
                --brightness -100..100% (in steps of 1) [0]
                \(glass)
                """),
        DriverListing(
            driver: "snapscan", sources: ["flatbed", "feeder", "auto"],
            modes: ["bilevel", "gray", "color"],
            effects: ["source=feeder → source=Document Feeder", "mode=bilevel → mode=Lineart"],
            listing: """
                --resolution auto|50|75|100|150|200|300|450|600dpi [300]
                --mode auto|Color|Halftone|Gray|Lineart [Color]
                --preview-mode auto|Color|Halftone|Gray|Lineart [Color] [advanced]
                --source Flatbed|Transparency Adapter|Document Feeder [Flatbed]
                -l auto|0..216mm [0]
                -t auto|0..297mm [0]
                -x auto|0..216mm [216]
                -y auto|0..297mm [297]
                """),
        DriverListing(
            driver: "artec_eplus48u", sources: ["flatbed"], modes: ["bilevel", "gray", "color"],
            effects: ["source=flatbed → ", "mode=bilevel → mode=Lineart"],
            listing: """
                --mode Lineart|Gray|Color [Color]
                --depth 8|16bit [8]
                --resolution 50|100|200|300|600|1200dpi [50]
                --brightness -127..127 (in steps of 1) [0]
                \(glass)
                """),
        DriverListing(
            driver: "mustek_usb2", sources: ["flatbed"], modes: ["bilevel", "gray", "color"],
            effects: ["source=flatbed → source=Flatbed", "mode=color → mode=Color24"],
            listing: """
                --mode Color48|Color24|Gray16|Gray8|Lineart [Color24]
                --source Flatbed|Positive|Negative [Flatbed]
                --resolution 75|150|300|600|1200dpi [300]
                -l 0..216mm [0]
                -t 0..297mm [0]
                -x 0..216mm [216]
                -y 0..297mm [297]
                """),
        DriverListing(
            driver: "gt68xx", sources: ["flatbed"], modes: ["bilevel", "gray", "color"],
            effects: ["mode=gray → mode=Gray", "resolution=250 → resolution=200"],
            listing: """
                --mode Color|Gray|Lineart [Color]
                --depth 8|16bit [8]
                --source Flatbed|Transparency Adapter [Flatbed]
                --resolution 50|75|100|150|200|600|1200dpi [300]
                \(glass)
                """),
        DriverListing(
            driver: "test", type: "virtual device", sources: ["flatbed", "feeder", "auto"],
            modes: ["bilevel", "gray", "color"],
            effects: [
                "mode=bilevel → mode=Gray depth=1", "mode=gray → mode=Gray",
                "source=feeder → source=Automatic Document Feeder",
            ],
            papers: ["a6"], notPapers: ["a4"],
            listing: """
                --mode Gray|Color [Gray]
                --depth 1|8|16bit [8]
                --hand-scanner[=(yes|no)] [no]
                --resolution 1..1200dpi (in steps of 1) [50]
                --source Flatbed|Automatic Document Feeder [Flatbed]
                -l 0..200mm (in steps of 1) [0]
                -t 0..200mm (in steps of 1) [0]
                -x 0..200mm (in steps of 1) [80]
                -y 0..200mm (in steps of 1) [100]
                """),
    ]
}
