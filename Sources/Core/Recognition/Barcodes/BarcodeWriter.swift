import CZXing

/// A barcode to be drawn: its dark and light fields, without the light margin that it needs around
/// it.
public struct DrawnBarcode: Hashable, Sendable {
    /// Fields from left to right.
    public let width: Int
    /// Fields from top to bottom; 1 for rows of bars, which may have any height.
    public let height: Int
    /// Row by row from the top: true is dark.
    public let fields: [Bool]

    /// Makes the code of a text with ZXing's `MultiFormatWriter`.
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
