/// The order in which people expect names: page2 before page10, letters without regard to case.
///
/// Runs of ASCII digits compare by their value. Names that are equal in this way compare by their
/// bytes, so that no two names count as the same.
package func comesBeforeNaturally(_ left: [UInt8], _ right: [UInt8]) -> Bool {
    var i = 0
    var j = 0
    while i < left.count, j < right.count {
        if isDigit(left[i]), isDigit(right[j]) {
            let a = digitRun(left, from: &i)
            let b = digitRun(right, from: &j)
            if a.count != b.count { return a.count < b.count }
            if a != b { return a.lexicographicallyPrecedes(b) }
        } else {
            let a = lowered(left[i])
            let b = lowered(right[j])
            if a != b { return a < b }
            i += 1
            j += 1
        }
    }
    if left.count - i != right.count - j { return left.count - i < right.count - j }
    return left.lexicographicallyPrecedes(right)
}

/// The digits from `index` on, without leading zeros; `index` moves past the digits.
private func digitRun(_ bytes: [UInt8], from index: inout Int) -> ArraySlice<UInt8> {
    while index < bytes.count, bytes[index] == UInt8(ascii: "0") { index += 1 }
    let start = index
    while index < bytes.count, isDigit(bytes[index]) { index += 1 }
    return bytes[start..<index]
}

private func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
}

/// A slash sorts before every other byte, so that a folder's files stay together.
private func lowered(_ byte: UInt8) -> UInt8 {
    if byte == UInt8(ascii: "/") { return 0 }
    return byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte + 32 : byte
}
