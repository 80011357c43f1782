import CZXing

/// The dark and light fields of a barcode, without the light margin that it needs.
public struct DrawnBarcode: Hashable, Sendable {
    /// The number of fields from left to right.
    public let width: Int
    /// The number of fields from top to bottom; 1 for bars, which may have any height.
    public let height: Int
    /// The fields, row by row from the top: true is dark.
    public let fields: [Bool]

    /// Makes the code for a text with ZXing's `MultiFormatWriter`.
    ///
    /// - Throws: ``BarcodeError`` for a text that this kind of code can't hold.
    public init(_ format: BarcodeFormat, _ text: String) throws(BarcodeError) {
        guard let drawn = czxing_write(format.rawValue, text) else {
            throw BarcodeError(
                "'\(text)' can't be written as \(format.rawValue): \(String(cString: czxing_error()))"
            )
        }
        defer { czxing_free_drawn(drawn) }
        width = Int(czxing_drawn_width(drawn))
        height = format.isLinear ? 1 : Int(czxing_drawn_height(drawn))
        let dark = UnsafeBufferPointer(start: czxing_drawn_fields(drawn), count: width * height)
        fields = dark.map { $0 != 0 }
    }
}
