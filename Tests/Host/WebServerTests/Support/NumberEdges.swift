/// Texts in the place of numbers.
enum NumberEdges {
    /// Numbers at the limits of a byte, of a word and of a text.
    static let all: [String] =
        [
            0, 1, 9, 10, 11, 127, 128, 255, 256, 32767, 32768, 65535, 65536, 2_147_483_647,
            2_147_483_648, 4_294_967_295, 4_294_967_296, .max - 1, .max,
        ].map { (number: UInt64) in String(number) }
        + [
            "-1", "9223372036854775806", "9223372036854775807", "9223372036854775808",
            "-9223372036854775808", "-9223372036854775809", "18446744073709551616", "",
            "NaN", "inf", "1e308", "1e-320", "0x10", " 1", "1 ", "٣",
            String(repeating: "9", count: 1000), String(repeating: "0", count: 1000) + "1",
        ]
}
