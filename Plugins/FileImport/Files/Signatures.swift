/// The bytes of an ASCII text.
func ascii(_ text: StaticString) -> [UInt8] {
    text.withUTF8Buffer { Array($0) }
}

/// The box with which files of several formats begin, whose body finds damage in transmission
/// (T.800, I.5.1).
func signatureBox(_ name: StaticString) -> [UInt8] {
    [0, 0, 0, 0x0C] + ascii(name) + [0x0D, 0x0A, 0x87, 0x0A]
}

/// True where `pattern` occurs in `bytes`.
func contains(_ bytes: [UInt8], _ pattern: [UInt8]) -> Bool {
    guard bytes.count >= pattern.count else { return false }
    return (0...(bytes.count - pattern.count)).contains {
        bytes[$0..<$0 + pattern.count].elementsEqual(pattern)
    }
}
