import ColorProfiles

/// The colors in the fourth or fifth header of a BMP file (Microsoft's BITMAPV4HEADER and
/// BITMAPV5HEADER); nil for sRGB.
func bmpColors(_ reader: ByteReader) -> ColorSource? {
    let head = 14
    guard let length = reader.little32(head), length >= 108,
        let kind = reader.little32(head + 56)
    else { return nil }
    switch kind {
    // 'MBED'
    case 0x4D42_4544 where length >= 124:
        guard let offset = reader.little32(head + 112), let size = reader.little32(head + 116),
            size > 0, head + offset + size <= reader.count
        else { return .fault(.damaged) }
        guard size <= ColorSource.mostBytes else { return .fault(.tooLarge) }
        return .profile(Array(reader.slice(head + offset..<head + offset + size)))
    // 'LINK' means that the profile is a file on the machine that wrote the picture.
    case 0x4C49_4E4B: return .fault(.unknown)
    case 0: return calibrated(reader, head)
    default: return nil
    }
}

/// The colors from primaries as X, Y and Z in units of 2⁻³⁰, and a gamma for each in units of 2⁻¹⁶;
/// nil if they are 0, as most programs leave them.
///
/// Some programs write a gamma as PNG does, 1/2.2. Some write x, y and z, which add up to 1 and
/// define no white.
private func calibrated(_ reader: ByteReader, _ head: Int) -> ColorSource? {
    let numbers = (0..<12).map { reader.little32(head + 60 + 4 * $0) ?? 0 }
    let gammas = numbers[9...].map { Double($0) / 65_536 }
    guard let gamma = gammas.first, gamma > 0 else { return nil }
    let power = gamma < 1 ? 1 / gamma : gamma
    var places: [Double] = []
    var white = (0.0, 0.0, 0.0)
    var arePlaces = true
    for part in 0..<3 {
        let (x, y, z) = (
            Double(numbers[3 * part]), Double(numbers[3 * part + 1]), Double(numbers[3 * part + 2])
        )
        guard x + y + z > 0 else { return nil }
        arePlaces = arePlaces && abs((x + y + z) / 1_073_741_824 - 1) < 0.01
        places += [x / (x + y + z), y / (x + y + z)]
        white = (white.0 + x, white.1 + y, white.2 + z)
    }
    let sum = white.0 + white.1 + white.2
    let whitePlace = arePlaces ? [0.3127, 0.3290] : [white.0 / sum, white.1 / sum]
    guard let primaries = ColorSource.Primaries(places + whitePlace) else { return nil }
    return .calibrated(primaries, power: power)
}
