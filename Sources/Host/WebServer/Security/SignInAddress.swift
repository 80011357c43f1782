import Recognition

/// The address with a code that signs in a browser, as text and as a QR code.
///
/// The code is after the `#`, so that no server and no log ever gets it.
public enum SignInAddress {
    /// The address at a host, which may include a port.
    public static func text(host: String, isSecure: Bool, code: String) -> String {
        "\(isSecure ? "https" : "http")://\(host)/#signin/\(code)"
    }

    /// The rows of the address's QR code: `1` for dark fields, `0` for light ones; without a
    /// margin.
    static func fields(_ text: String) throws -> [String] {
        let code = try DrawnBarcode(.qrCode, text)
        return (0..<code.height).map { row in
            String(
                code.fields[(row * code.width)..<((row + 1) * code.width)].map { $0 ? "1" : "0" })
        }
    }

    /// The address's QR code for a terminal, two rows per line, with the light margin of four
    /// fields that readers need: dark on light, whatever the terminal's colors.
    ///
    /// - Throws: `BarcodeError` for a text that no QR code can hold.
    public static func terminal(_ text: String) throws -> String {
        let rows = try fields(text).map { Array($0) }
        let size = rows.count
        func isDark(_ x: Int, _ y: Int) -> Bool {
            (0..<size).contains(y) && (0..<rows[y].count).contains(x) && rows[y][x] == "1"
        }
        return stride(from: -4, to: size + 4, by: 2).map { y in
            let cells = (-4..<(size + 4)).map { x in
                switch (isDark(x, y), isDark(x, y + 1)) {
                case (true, true): " "
                case (true, false): "▄"
                case (false, true): "▀"
                case (false, false): "█"
                }
            }
            // The text is white on black, so that a full block is light.
            return "\u{1B}[97;40m" + cells.joined() + "\u{1B}[0m"
        }.joined(separator: "\n")
    }
}
