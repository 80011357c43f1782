/// A seeded generator so that failures repeat: SplitMix64 (Steele and others, 2014).
struct Noise: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// `count` random bytes.
    mutating func bytes(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: 0...255, using: &self) }
    }
}

/// Bytes of numbers in a given order.
func big16(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }
func big32(_ value: Int) -> [UInt8] { big16(value >> 16 & 0xFFFF) + big16(value & 0xFFFF) }
func little16(_ value: Int) -> [UInt8] { big16(value).reversed() }
func little32(_ value: Int) -> [UInt8] { big32(value).reversed() }

/// The samples of a 16-bit frame.
func words(_ bytes: [UInt8]) -> [UInt16] {
    stride(from: 0, to: bytes.count, by: 2).map { UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8 }
}
