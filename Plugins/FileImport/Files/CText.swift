/// The text of a C buffer that ends in a zero, for people.
func string(_ buffer: [CChar]) -> String {
    let bytes = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    return printable(String(decoding: bytes, as: UTF8.self))
}
