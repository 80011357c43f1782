import COpenJPEG
import CaptureKit

/// The decoded components of a JPEG 2000 picture, each with a size, a depth and a sign of its own.
struct JPEG2000Planes {
    /// One component.
    private struct Plane {
        let samples: UnsafeMutablePointer<Int32>
        let width: Int
        let height: Int
        let across: Int
        let down: Int
        let bits: Int
        let isSigned: Bool

        /// The sample of pixel (x, y), scaled to 0…`most`.
        func value(_ x: Int, _ y: Int, most: Int) -> Int {
            let sample = Int(
                samples[min(y / down, height - 1) * width + min(x / across, width - 1)])
            let largest = 1 << bits - 1
            let value = min(max(0, isSigned ? sample + 1 << (bits - 1) : sample), largest)
            return (value * most + largest / 2) / largest
        }
    }

    private let width: Int
    private let height: Int
    private let colours: [Plane]
    private let alpha: Plane?
    /// True for brightness and two differences of colour.
    private let isYCC: Bool
    /// True for four inks.
    private let isInk: Bool

    init(_ image: UnsafeMutablePointer<opj_image_t>, width: Int, height: Int) throws(DecodeFault) {
        self.width = width
        self.height = height
        var colours: [Plane] = []
        var alpha: Plane?
        for index in 0..<min(5, Int(image.pointee.numcomps)) {
            let part = image.pointee.comps[index]
            guard let samples = part.data, part.w > 0, part.h > 0, part.dx > 0, part.dy > 0,
                (1...31).contains(part.prec)
            else { throw .damaged("a part of its picture data is missing") }
            let plane = Plane(
                samples: samples, width: Int(part.w), height: Int(part.h), across: Int(part.dx),
                down: Int(part.dy),
                bits: Int(part.prec), isSigned: part.sgnd != 0)
            if part.alpha != 0 { alpha = alpha ?? plane } else { colours.append(plane) }
        }
        guard !colours.isEmpty else { throw .damaged("it has no picture") }
        let space = image.pointee.color_space
        isInk = space == OPJ_CLRSPC_CMYK && colours.count >= 4
        // Without a header nothing names the colours; differences of colour are what is stored more coarsely.
        let isCoarse = colours.count >= 3 && colours[0].across == 1 && colours[1].across > 1
        isYCC =
            !isInk && colours.count >= 3
            && (space == OPJ_CLRSPC_SYCC || space == OPJ_CLRSPC_EYCC || isCoarse)
        self.colours = Array(colours.prefix(isInk ? 4 : colours.count >= 3 ? 3 : 1))
        self.alpha = alpha
    }

    /// The picture over white.
    func page(limits: ImportLimits, cancel: CancelFlag) throws(DecodeFault) -> DecodedPage {
        let isDeep = colours.contains { $0.bits > 8 } && !isYCC && !isInk
        let isGray = colours.count == 1
        let format: FrameFormat = isGray ? (isDeep ? .gray16 : .gray8) : (isDeep ? .rgb16 : .rgb8)
        let page = try DecodedPage(format: format, width: width, height: height, limits: limits)
        let most = isDeep ? 65_535 : 255
        for y in 0..<height {
            try cancel.check()
            let row = page.row(y)
            for x in 0..<width {
                let alpha = self.alpha?.value(x, y, most: most) ?? most
                let light = light(x, y, most)
                for part in 0..<(isGray ? 1 : 3) {
                    let value = (light[part] * alpha + most * (most - alpha) + most / 2) / most
                    let at = x * (isGray ? 1 : 3) + part
                    if isDeep {
                        row.storeBytes(
                            of: UInt16(value).littleEndian, toByteOffset: at * 2, as: UInt16.self)
                    } else {
                        row[at] = UInt8(value)
                    }
                }
            }
        }
        return colours.allSatisfy { $0.bits == 1 } ? try page.reduced(limits: limits) : page
    }

    @inline(__always)
    private func light(_ x: Int, _ y: Int, _ most: Int) -> SIMD4<Int> {
        var values = SIMD4<Int>(repeating: 0)
        for part in colours.indices { values[part] = colours[part].value(x, y, most: most) }
        if isInk {
            let white = most - values[3]
            for part in 0..<3 { values[part] = ((most - values[part]) * white + most / 2) / most }
        } else if isYCC {
            // ITU-R BT.601, as JPEG has it.
            let (luma, blue, red) = (
                Double(values[0]), Double(values[1]) - 128, Double(values[2]) - 128
            )
            let mixed = [
                luma + 1.402 * red, luma - 0.344_136 * blue - 0.714_136 * red, luma + 1.772 * blue,
            ]
            for part in 0..<3 { values[part] = Int(min(255, max(0, mixed[part].rounded()))) }
        }
        return values
    }
}
