import CPNGReader
import ColorProfiles

/// The colors of a PNG file: codes, or else a profile, a mark for sRGB, or a gamma and primaries
/// (PNG, third edition, 11.3.2).
func pngColors(_ facts: png_facts, _ bytes: UnsafeRawBufferPointer) -> ColorSource? {
    let reader = ByteReader(bytes: bytes)
    // Libpng does not know this chunk yet.
    if let place = chunk("cICP", in: reader), let primaries = reader.byte(place),
        let transfer = reader.byte(place + 1)
    {
        return .coded(primaries: primaries, transfer: transfer)
    }
    if let profile = facts.profile {
        return .profile(
            Array(UnsafeBufferPointer(start: profile, count: Int(facts.profileLength))))
    }
    if facts.isSRGB != 0 { return nil }
    // Libpng drops damaged chunks.
    if chunk("iCCP", in: reader) != nil {
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

/// The contents of the chunk with that name before the picture; nil for none.
private func chunk(_ name: StaticString, in reader: ByteReader) -> Int? {
    var offset = 8
    while let length = reader.big32(offset), !reader.has("IDAT", at: offset + 4) {
        if reader.has(name, at: offset + 4) { return offset + 8 }
        offset += 12 + length
    }
    return nil
}
