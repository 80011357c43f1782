import CSignNetwork

/// Prepares a line's picture for the character network, and reads its answers.
struct SignNetwork {
    /// The rows in a line's picture.
    static let height = Int(SN_HEIGHT)
    /// The number of these rows that a capital letter has, in the middle.
    static let capital = Int(SN_CAPITAL)
    /// The number of the picture's columns for one column of the answer.
    static let step = Int(SN_STEP)
    /// The maximum number of columns in a picture.
    static let longest = Int(SN_LONGEST)

    /// The network's answer for one column.
    struct Column {
        /// The probability that a mark's middle is in this column, 0…1.
        let mark: Double
        /// The probabilities of the digits, the letters, and other marks, in this order.
        let classes: ArraySlice<Float>
    }

    /// The characters that the network distinguishes; one more class is for any other mark.
    static let signs = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")

    /// Reads a line.
    ///
    /// - Parameters:
    ///   - dark: ``height`` rows with `width` numbers, the darkness of each pixel, 0…1.
    ///   - width: the pixels in a row, a multiple of ``step``, at most ``longest``.
    /// - Returns: a column for every ``step`` columns of the picture; nil when memory runs out.
    static func columns(_ dark: [Float], width: Int) -> [Column]? {
        let (count, classes) = (width / step, Int(SN_CLASSES))
        var chances = [Float](repeating: 0, count: count * classes)
        guard sn_read(dark, width, &chances) == 0 else { return nil }
        return (0..<count).map { column in
            let first = column * classes
            return Column(
                mark: 1 - Double(chances[first + Int(SN_BETWEEN)]),
                classes: chances[first...first + Int(SN_OTHER)])
        }
    }
}
