import ColorProfiles

/// Converts a PDF's samples of CIE L*a*b*, eight bits each, to sRGB.
///
/// Colors keep their distance from white when the white changes to D50.
struct LabColors {
    private let colors = PageColors(.lab, .lab)
    /// The value of each of the 256 samples of L*, a* and b*, in 16 bits as ICC profiles of version
    /// 4 encode it.
    private let values: [[UInt16]]

    /// - Parameter ranges: the minimum and the maximum of each component.
    init(_ ranges: [Float]) {
        values = (0..<3).map { part in
            let (least, most) = (Double(ranges[2 * part]), Double(ranges[2 * part + 1]))
            return (0...255).map { sample in
                let value = least + (most - least) * Double(sample) / 255
                let coded = part == 0 ? value * 655.35 : (value + 128) * 257
                return UInt16(min(max(coded.rounded(), 0), 65_535))
            }
        }
    }

    /// Converts a row of pixels of three bytes.
    func convert(_ row: UnsafeRawBufferPointer, to target: UnsafeMutableRawBufferPointer) {
        var coded = [UInt16](repeating: 0, count: row.count)
        for index in row.indices { coded[index] = values[index % 3][Int(row[index])] }
        coded.withUnsafeBytes { colors.conversion?.convert($0, to: target) }
    }
}
