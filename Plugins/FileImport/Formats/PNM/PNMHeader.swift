/// Reads the numbers of a PNM file, and skips white space and comments.
struct PNMHeader {
    let bytes: UnsafeRawBufferPointer
    /// The position of the reader, which begins after the magic number.
    private(set) var offset = 2

    /// The next decimal number, of at most nine digits.
    mutating func number(_ what: StaticString) throws(DecodeFault) -> Int {
        skipSpace()
        var value = 0
        var digits = 0
        while offset < bytes.count, (0x30...0x39).contains(bytes[offset]) {
            guard digits < 9 else { throw .damaged("its \(what) has too many digits") }
            value = value * 10 + Int(bytes[offset] - 0x30)
            digits += 1
            offset += 1
        }
        guard digits > 0 else {
            throw .damaged(
                offset >= bytes.count
                    ? "the picture ends where a \(what) should be"
                    : "there is no number where its \(what) should be")
        }
        return value
    }

    /// The next plain sample; nil at the end of the file.
    mutating func sample() throws(DecodeFault) -> Int? {
        skipSpace()
        return offset < bytes.count ? try number("sample") : nil
    }

    /// The next digit, which is 0 or 1 and needs no space around it; nil at the end of the file.
    mutating func bit() throws(DecodeFault) -> Int? {
        skipSpace()
        guard offset < bytes.count else { return nil }
        let byte = bytes[offset]
        guard byte == 0x30 || byte == 0x31 else { throw .damaged("a pixel is neither 0 nor 1") }
        offset += 1
        return Int(byte - 0x30)
    }

    /// Skips the one character between the header and raw samples.
    mutating func skipOneSpace() { offset += 1 }

    private mutating func skipSpace() {
        while offset < bytes.count {
            if bytes[offset] == UInt8(ascii: "#") {
                while offset < bytes.count, bytes[offset] != 0x0A, bytes[offset] != 0x0D {
                    offset += 1
                }
            } else if isPNMSpace(bytes[offset]) {
                offset += 1
            } else {
                return
            }
        }
    }
}

/// True for the white space of Netpbm's formats.
func isPNMSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
