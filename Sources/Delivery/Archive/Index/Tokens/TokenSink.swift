import CSQLite

/// Passes the tokens of a text to FTS5.
struct TokenSink {
    typealias Function =
        @convention(c) (
            UnsafeMutableRawPointer?, Int32, UnsafePointer<CChar>?, Int32, Int32, Int32
        ) -> Int32

    let context: UnsafeMutableRawPointer?
    let function: Function

    /// Adds a token.
    ///
    /// - Parameters:
    ///   - range: The token's range, in bytes of the text.
    ///   - isSamePlace: True for another spelling of the preceding token.
    func add(
        _ token: UnsafeBufferPointer<CChar>, at range: Range<Int>, isSamePlace: Bool = false
    ) -> Int32 {
        function(
            context, isSamePlace ? FTS5_TOKEN_COLOCATED : 0, token.baseAddress,
            Int32(token.count), Int32(range.lowerBound), Int32(range.upperBound))
    }

    /// Adds a token of these characters.
    func add(
        _ token: [Unicode.Scalar], at range: Range<Int>, isSamePlace: Bool = false
    ) -> Int32 {
        var text = String(String.UnicodeScalarView(token))
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) {
                add($0, at: range, isSamePlace: isSamePlace)
            }
        }
    }
}

/// A character with its place, in bytes of its text.
struct PlacedScalar {
    var scalar: Unicode.Scalar
    var range: Range<Int>
}

/// The characters of a word that begins at byte `start`; bytes that are not UTF-8 are left out.
func placedScalars(
    of word: UnsafeBufferPointer<CChar>, from start: Int
) -> [PlacedScalar] {
    var decoder = UTF8()
    var bytes = word.lazy.map(UInt8.init(bitPattern:)).makeIterator()
    var result: [PlacedScalar] = []
    var at = start
    while true {
        switch decoder.decode(&bytes) {
        case .scalarValue(let scalar):
            let count = UTF8.width(scalar)
            result.append(PlacedScalar(scalar: scalar, range: at..<at + count))
            at += count
        case .error: at += 1
        case .emptyInput: return result
        }
    }
}
