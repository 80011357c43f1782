/// A kind of barcode that can be read; the raw value is how ZXing names it, where it knows it.
public enum BarcodeFormat: String, CaseIterable, Sendable {
    case aztec = "Aztec"
    case codabar = "Codabar"
    case code39 = "Code39"
    case code93 = "Code93"
    case code128 = "Code128"
    case dataBar = "DataBar"
    case dataBarExpanded = "DataBarExpanded"
    case dataMatrix = "DataMatrix"
    case ean8 = "EAN8"
    case ean13 = "EAN13"
    case itf = "ITF"
    case maxiCode = "MaxiCode"
    case pdf417 = "PDF417"
    case qrCode = "QRCode"
    case upcA = "UPCA"
    case upcE = "UPCE"
    case microQRCode = "MicroQRCode"
    /// A Patch T: a sheet with four bars and no text, between two documents of a stack.
    case patchCode = "PatchCode"

    /// The kinds that are rows of bars.
    public static let linear: [BarcodeFormat] = allCases.filter(\.isLinear)
    /// The kinds that spread over two dimensions.
    public static let matrix: [BarcodeFormat] = allCases.filter { !$0.isLinear }

    /// The kinds that number goods.
    static let trade: [BarcodeFormat] = [.ean8, .ean13, .upcA, .upcE]

    /// True for what ZXing reads.
    var isZXings: Bool { self != .patchCode }

    /// True for rows of bars, false for what spreads over two dimensions.
    public var isLinear: Bool {
        switch self {
        case .aztec, .dataMatrix, .maxiCode, .pdf417, .qrCode, .microQRCode: false
        default: true
        }
    }

    /// True for kinds whose edges mostly have one direction: rows of bars, and several of them in
    /// one code.
    var runsOneWay: Bool { isLinear || self == .pdf417 }

    /// True for kinds with as many edges in one direction as in the other.
    ///
    /// MaxiCode, which has hexagons, is read only where nothing else is on the picture.
    var runsBothWays: Bool { !isLinear && self != .maxiCode }

    /// True when a misread would be noticed: by error correction, or by a check digit that the kind
    /// demands.
    ///
    /// Code 39, Codabar and Interleaved 2 of 5 may do without one, so print that happens to have
    /// stripes can pass for them.
    public var isChecked: Bool {
        switch self {
        case .codabar, .code39, .itf: false
        default: true
        }
    }

    /// True for rows of bars that must have light paper at both ends; the two kinds of DataBar
    /// (ISO/IEC 24724) need none.
    var needsQuietEnds: Bool { isLinear && self != .dataBar && self != .dataBarExpanded }
}
