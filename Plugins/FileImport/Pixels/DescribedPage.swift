import CaptureKit

extension DecodedPage {
    /// The announcement of the page for the host.
    ///
    /// - Parameter assumedResolution: dots per inch of a page that names none; 0 for unknown.
    func described(label: String, expected: Int, assumedResolution: Int) -> FrameDescription {
        var facts = facts
        if facts.origin == nil, showsScreen { facts.origin = .screenshot }
        // The picture of a screen or a program has nothing around it.
        if facts.origin == .screenshot { facts.edgesArePaper = true }
        let isNamed = resolution != nil
        let resolution =
            resolution ?? (assumedResolution > 0 ? Resolution(x: Double(assumedResolution)) : nil)
        if resolution != nil, facts.size == nil { facts.size = isNamed ? .stated : .measured }
        return FrameDescription(
            format: format, width: width, height: height, resolution: resolution, label: label,
            expected: expected, problems: allProblems.isEmpty ? nil : allProblems,
            facts: facts == PageFacts() ? nil : facts)
    }

    /// True for a picture that has a screen's size to the pixel and is as free of noise as only
    /// programs draw.
    ///
    /// A JPEG never counts as one: compression adds its own noise, and removes other noise.
    private var showsScreen: Bool {
        guard format == .rgb8, original == nil, Screens.have(width: width, height: height) else {
            return false
        }
        return shareOfRepeats >= 0.5
    }

    /// The share of pixels that are exactly those to their left, 0…1; a few hundredths for pictures
    /// with noise.
    private var shareOfRepeats: Double {
        var (same, count) = (0, 0)
        let bytes = pixels.bytes
        for y in Swift.stride(from: 0, to: height, by: max(1, height / 256)) {
            for index in Swift.stride(from: y * stride + 3, to: (y + 1) * stride, by: 3) {
                count += 1
                if bytes[index] == bytes[index - 3], bytes[index + 1] == bytes[index - 2],
                    bytes[index + 2] == bytes[index - 1]
                {
                    same += 1
                }
            }
        }
        return count == 0 ? 0 : Double(same) / Double(count)
    }
}

/// The sizes of screens.
enum Screens {
    /// The shorter sides of screens, in pixels.
    private static let shorter: Set<Int> = [
        320, 360, 480, 540, 600, 640, 720, 750, 768, 800, 828, 864, 886, 900, 960, 1024, 1050, 1080,
        1125, 1170, 1179, 1200, 1206, 1242, 1284, 1290, 1320, 1440, 1488, 1532, 1536, 1600, 1620,
        1640, 1664, 1668, 1800, 1964, 2048, 2160, 2234, 2880,
    ]
    /// The longer side over the shorter: from 5 : 4 of old monitors to 32 : 9 of the widest.
    private static let shapes: [Double] = [
        5.0 / 4, 4.0 / 3, 1.432, 1.439, 3.0 / 2, 1.546, 16.0 / 10, 5.0 / 3, 16.0 / 9, 17.0 / 9, 2,
        18.5 / 9, 19.0 / 9, 19.5 / 9, 20.0 / 9, 21.0 / 9, 22.0 / 9, 32.0 / 9,
    ]

    /// True when a screen may have that many pixels, upright or across.
    static func have(width: Int, height: Int) -> Bool {
        let (short, long) = (min(width, height), max(width, height))
        guard shorter.contains(short) else { return false }
        let shape = Double(long) / Double(short)
        return shapes.contains { (shape / $0 - 1).magnitude < 0.006 }
    }
}
