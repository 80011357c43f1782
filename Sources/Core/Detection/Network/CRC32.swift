/// The checksum of ISO 3309 and zlib's `crc32`.
enum CRC32 {
    /// The checksum of some bytes.
    static func of(_ bytes: UnsafeRawBufferPointer) -> UInt32 {
        withUnsafeTemporaryAllocation(of: UInt32.self, capacity: 256) { table in
            for i in 0..<256 {
                var value = UInt32(i)
                for _ in 0..<8 { value = value & 1 == 0 ? value >> 1 : value >> 1 ^ 0xEDB8_8320 }
                table[i] = value
            }
            var sum = UInt32.max
            for byte in bytes { sum = table[Int((sum ^ UInt32(byte)) & 255)] ^ sum >> 8 }
            return ~sum
        }
    }
}
