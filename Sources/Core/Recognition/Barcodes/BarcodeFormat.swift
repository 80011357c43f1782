/// A kind of barcode; the raw value is ZXing's name for it, if ZXing knows it.
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

    /// The kinds that consist of bars side by side.
    public static let linear: [BarcodeFormat] = allCases.filter(\.isLinear)
    /// The kinds that consist of fields in two dimensions.
    public static let matrix: [BarcodeFormat] = allCases.filter { !$0.isLinear }

    /// The kinds for retail goods.
    static let trade: [BarcodeFormat] = [.ean8, .ean13, .upcA, .upcE]

    /// True for the kinds that ZXing reads.
    var isReadByZXing: Bool { self != .patchCode }

    /// True for bars side by side, false for fields in two dimensions.
    public var isLinear: Bool {
        switch self {
        case .aztec, .dataMatrix, .maxiCode, .pdf417, .qrCode, .microQRCode: false
        default: true
        }
    }

    /// True for kinds whose edges mostly have one direction: bars side by side, and several rows of
    /// these in one code.
    var runsOneWay: Bool { isLinear || self == .pdf417 }

    /// True for kinds with as many edges in one direction as in the other.
    ///
    /// MaxiCode, which has hexagons, is read only in a picture that shows nothing else.
    var runsBothWays: Bool { !isLinear && self != .maxiCode }

    /// True when error correction, or a required check digit, reveals a misreading.
    ///
    /// Code 39, Codabar and Interleaved 2 of 5 may have no check digit, so print with stripes can
    /// be mistaken for them.
    public var isChecked: Bool {
        switch self {
        case .codabar, .code39, .itf: false
        default: true
        }
    }

    /// True for bars that must have light paper at both ends; the two kinds of DataBar (ISO/IEC
    /// 24724) need none.
    var needsQuietEnds: Bool { isLinear && self != .dataBar && self != .dataBarExpanded }
}
