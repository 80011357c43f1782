import COpenJPEG
import CaptureKit
import ColorProfiles

/// The decoded components of a JPEG 2000 picture, each with its own size, depth and sign.
struct JPEG2000Planes {
    /// A single component.
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
    private let planes: [Plane]
    private let alpha: Plane?
    /// True for brightness and two differences of color.
    private let isYCC: Bool
    /// True for cyan, magenta, yellow and black.
    private let isInk: Bool

    init(_ image: UnsafeMutablePointer<opj_image_t>, width: Int, height: Int) throws(DecodeFault) {
        self.width = width
        self.height = height
        var planes: [Plane] = []
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
            if part.alpha != 0 { alpha = alpha ?? plane } else { planes.append(plane) }
        }
        guard !planes.isEmpty else { throw .damaged("it has no picture") }
        let space = image.pointee.color_space
        isInk = space == OPJ_CLRSPC_CMYK && planes.count >= 4
        // Without a header, nothing names the colors. Then components with fewer samples are color
        // differences.
        let isCoarse = planes.count >= 3 && planes[0].across == 1 && planes[1].across > 1
        isYCC =
            !isInk && planes.count >= 3
            && (space == OPJ_CLRSPC_SYCC || space == OPJ_CLRSPC_EYCC || isCoarse)
        self.planes = Array(planes.prefix(isInk ? 4 : planes.count >= 3 ? 3 : 1))
        // Programs write alpha after gray or three colors without naming it, and read it in the
        // same way.
        let isUnnamed =
            !isInk && image.pointee.icc_profile_buf == nil
            && image.pointee.numcomps == planes.count && [2, 4].contains(planes.count)
        self.alpha = alpha ?? (isUnnamed ? planes.last : nil)
    }

    /// The picture in sRGB, blended with white.
    ///
    /// - Parameter isReduced: true to make a picture of 1-bit samples bilevel.
    func page(
        colors source: ColorSource?, isReduced: Bool = true, limits: ImportLimits,
        cancel: CancelFlag
    ) throws(DecodeFault) -> DecodedPage {
        let isDeep = planes.contains { $0.bits > 8 } && !isYCC && !isInk
        let isGray = planes.count == 1
        let format: FrameFormat = isGray ? (isDeep ? .gray16 : .gray8) : (isDeep ? .rgb16 : .rgb8)
        var page = try DecodedPage(format: format, width: width, height: height, limits: limits)
        let kind: SampleKind = isInk ? .inks : isGray ? .gray : .light
        let colors = PageColors(source, kind, isDeep: isDeep)
        page.problems = colors.problems
        coarseness.map { page.problems.append($0) }
        let inks = try PixelBuffer(
            byteCount: isInk && colors.conversion != nil ? width * kind.count : 0)
        let most = isDeep ? 65_535 : 255
        for y in 0..<height {
            try cancel.check()
            let row = page.row(y)
            if isInk, let conversion = colors.conversion {
                store(y, most, kind.count, own: true, in: inks.mutableBytes)
                conversion.convert(inks.bytes, to: row)
            } else {
                store(y, most, kind.converted.count, own: false, in: row)
                colors.conversion?.convert(row)
            }
            if alpha != nil { blendWithWhite(row, y, count: kind.converted.count, most: most) }
        }
        return isReduced && planes.allSatisfy { $0.bits == 1 }
            ? try page.reduced(limits: limits) : page
    }

    /// A problem to report if samples are far coarser than the picture's size; nil for others.
    ///
    /// Usually only color differences are coarser, by at most 4. Damaged files claim other values.
    private var coarseness: String? {
        let known = [planes[0], alpha].compactMap { $0 }
        guard
            let coarse = known.first(where: { $0.across > 1 || $0.down > 1 })
                ?? planes.first(where: { $0.across > 4 || $0.down > 4 })
        else { return nil }
        let pixels = "\(coarse.across) × \(coarse.down) pixels"
        return "The file stores one sample for \(pixels); it may be damaged."
    }

    /// Stores a row's samples, unchanged or converted to red, green and blue.
    private func store(
        _ y: Int, _ most: Int, _ count: Int, own: Bool, in row: UnsafeMutableRawBufferPointer
    ) {
        for x in 0..<width {
            let values = own ? samples(x, y, most) : light(x, y, most)
            for part in 0..<count { row.put(values[part], at: x * count + part, most) }
        }
    }

    private func blendWithWhite(
        _ row: UnsafeMutableRawBufferPointer, _ y: Int, count: Int, most: Int
    ) {
        guard let alpha else { return }
        for x in 0..<width {
            let alpha = alpha.value(x, y, most: most)
            for at in x * count..<(x + 1) * count {
                let value = row.sample(at, most)
                row.put((value * alpha + most * (most - alpha) + most / 2) / most, at: at, most)
            }
        }
    }

    @inline(__always)
    private func samples(_ x: Int, _ y: Int, _ most: Int) -> SIMD4<Int> {
        var values = SIMD4<Int>(repeating: 0)
        for part in planes.indices { values[part] = planes[part].value(x, y, most: most) }
        return values
    }

    @inline(__always)
    private func light(_ x: Int, _ y: Int, _ most: Int) -> SIMD4<Int> {
        var values = samples(x, y, most)
        if isInk {
            let white = most - values[3]
            for part in 0..<3 { values[part] = ((most - values[part]) * white + most / 2) / most }
        } else if isYCC {
            // The conversion of ITU-R BT.601 in the form that JPEG uses.
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
