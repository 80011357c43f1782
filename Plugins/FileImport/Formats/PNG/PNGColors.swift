import CPNGReader
import ColorProfiles

/// What a PNG file says of its colors: a profile, else that they are sRGB, else a gamma and
/// primaries (PNG, third edition, 11.3.2).
func pngColors(_ facts: png_facts, _ bytes: UnsafeRawBufferPointer) -> ColorSource? {
    if let profile = facts.profile {
        return .profile(
            Array(UnsafeBufferPointer(start: profile, count: Int(facts.profileLength))))
    }
    if facts.isSRGB != 0 { return nil }
    // Libpng drops what it finds damaged.
    if hasProfileChunk(ByteReader(bytes: bytes)) {
        return .fault(facts.isProfileForeign != 0 ? .foreign : .damaged)
    }
    guard facts.gamma > 0 || facts.hasPlaces != 0 else { return nil }
    var places: ColorSource.Primaries?
    if facts.hasPlaces != 0 {
        places = withUnsafeBytes(of: facts.places) {
            ColorSource.Primaries(Array($0.assumingMemoryBound(to: Double.self)))
        }
    }
    return .calibrated(places, power: facts.gamma > 0 ? 1 / facts.gamma : 2.2)
}

/// Whether there is a profile before the picture.
private func hasProfileChunk(_ reader: ByteReader) -> Bool {
    var offset = 8
    while let length = reader.big32(offset), !reader.has("IDAT", at: offset + 4) {
        if reader.has("iCCP", at: offset + 4) { return true }
        offset += 12 + length
    }
    return false
}
