/// True when `a` comes before `b` as people count: `page 2` before `page 10`, whatever the case of
/// letters.
///
/// Runs of ASCII digits are compared by their value, everything else byte by byte with ASCII
/// capitals made small. Names that are equal in this sense are ordered by their bytes, so that the
/// order is always the same.
func naturallyPrecedes(_ a: String, _ b: String) -> Bool {
    let (x, y) = (Array(a.utf8), Array(b.utf8))
    var (i, j) = (0, 0)
    while i < x.count, j < y.count {
        if isDigit(x[i]), isDigit(y[j]) {
            let (first, second) = (number(x, &i), number(y, &j))
            if first.count != second.count { return first.count < second.count }
            if first != second { return first.lexicographicallyPrecedes(second) }
        } else {
            let (first, second) = (small(x[i]), small(y[j]))
            if first != second { return first < second }
            i += 1
            j += 1
        }
    }
    if x.count - i != y.count - j { return x.count - i < y.count - j }
    return x.lexicographicallyPrecedes(y)
}

/// The digits of the number at `index` without leading zeros; `index` moves past them.
private func number(_ bytes: [UInt8], _ index: inout Int) -> ArraySlice<UInt8> {
    while index < bytes.count, bytes[index] == UInt8(ascii: "0") { index += 1 }
    let start = index
    while index < bytes.count, isDigit(bytes[index]) { index += 1 }
    return bytes[start..<index]
}

private func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
}

private func small(_ byte: UInt8) -> UInt8 {
    (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte + 32 : byte
}
