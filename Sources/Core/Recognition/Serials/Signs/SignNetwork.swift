import CSignNetwork

/// A line's picture in the form that the character network needs, and the network's answers.
struct SignNetwork {
    /// Rows of a line's picture.
    static let height = Int(SN_HEIGHT)
    /// How many of these rows a capital letter takes, in the middle.
    static let capital = Int(SN_CAPITAL)
    /// How many columns of the picture give one column of the answer.
    static let step = Int(SN_STEP)
    /// Columns a picture may have.
    static let longest = Int(SN_LONGEST)

    /// What one column may show.
    struct Column {
        /// The chance that a mark's middle is here, 0…1.
        let mark: Double
        /// The chances of the digits, the letters, and of another mark, in this order.
        let classes: ArraySlice<Float>
    }

    /// The characters that it distinguishes; one more class is for any other mark.
    static let signs = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ")

    /// Reads a line.
    ///
    /// - Parameters:
    ///   - dark: ``height`` rows of `width` numbers, how dark each pixel is, 0…1.
    ///   - width: pixels of a row, a multiple of ``step``, at most ``longest``.
    /// - Returns: a column for every ``step`` of the picture's, nil when there is no memory for it.
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
