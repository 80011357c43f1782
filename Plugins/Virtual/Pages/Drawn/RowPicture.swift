/// A page's picture in the form for devices: rows of 8-bit samples on demand.
protocol RowPicture: Sendable {
    /// Pixels in a row.
    var width: Int { get }
    /// Rows.
    var height: Int { get }
    /// Dots per inch, where known.
    var resolution: Double? { get }
    /// The page's name at its source.
    var label: String? { get }

    /// Writes row `y`: `width` gray samples, or `3 × width` of red, green and blue when `color`.
    func row(_ y: Int, color: Bool, into samples: UnsafeMutableBufferPointer<UInt8>)

    /// The number of equal rows from `y` on, at least 1; the sender makes one and copies it.
    func equalRows(from y: Int) -> Int
}

extension RowPicture {
    func equalRows(from y: Int) -> Int { 1 }
}

/// A color of 8-bit samples.
struct RGB: Hashable, Sendable {
    var red: UInt8
    var green: UInt8
    var blue: UInt8

    init(_ red: UInt8, _ green: UInt8, _ blue: UInt8) {
        self.red = red
        self.green = green
        self.blue = blue
    }

    /// A gray of this lightness.
    init(gray: UInt8) { self.init(gray, gray, gray) }

    static let black = RGB(gray: 0)
    static let white = RGB(gray: 255)

    /// The gray a color turns into, by the weights of ITU-R BT.601 (299, 587 and 114 thousandths),
    /// rounded.
    var luma: UInt8 {
        let sum = 299 * UInt32(red) + 587 * UInt32(green) + 114 * UInt32(blue)
        return UInt8((sum + 500) / 1000)
    }
}
