import CaptureKit

/// Converts Y'CbCr to red, green and blue, by the driver's description of it.
struct VideoColors {
    private let form: FrameForm
    // Factors, multiplied by 65,536.
    private let luma: Int
    private let black: Int
    private let redFromCr: Int
    private let greenFromCb: Int
    private let greenFromCr: Int
    private let blueFromCb: Int

    init(_ form: FrameForm) {
        self.form = form
        let (red, blue, isFullRange) = (form.signal.red, form.signal.blue, form.signal.isFullRange)
        let green = 1 - red - blue
        // The ranges are 16…235 and 16…240, unless all of 0…255 is used.
        let (lumaScale, chromaScale) = isFullRange ? (1.0, 1.0) : (255.0 / 219, 255.0 / 224)
        func fixed(_ factor: Double) -> Int { Int((factor * 65_536).rounded()) }
        luma = fixed(lumaScale)
        black = isFullRange ? 0 : 16
        redFromCr = fixed(2 * (1 - red) * chromaScale)
        blueFromCb = fixed(2 * (1 - blue) * chromaScale)
        greenFromCb = fixed(2 * (1 - blue) * blue / green * chromaScale)
        greenFromCr = fixed(2 * (1 - red) * red / green * chromaScale)
    }

    /// The frame's pixels, packed.
    func rgb(_ bytes: UnsafeRawBufferPointer) -> [UInt8] {
        let (width, height) = (form.size.width, form.size.height)
        return [UInt8](unsafeUninitializedCapacity: width * height * 3) { pixels, count in
            for y in 0..<height {
                for x in 0..<width {
                    let place = places(x, y)
                    write(
                        Int(bytes[place.y]), Int(bytes[place.cb]), cr: Int(bytes[place.cr]),
                        to: pixels, place: (y * width + x) * 3)
                }
            }
            count = width * height * 3
        }
    }

    /// The places of a pixel's samples.
    private func places(_ x: Int, _ y: Int) -> (y: Int, cb: Int, cr: Int) {
        let row = y * form.stride
        switch form.route {
        case .native(.yuyv): return (row + 2 * x, row + x / 2 * 4 + 1, row + x / 2 * 4 + 3)
        case .native(.uyvy): return (row + 2 * x + 1, row + x / 2 * 4, row + x / 2 * 4 + 2)
        default:
            let colors = (form.size.height + y / 2) * form.stride + x / 2 * 2
            return (row + x, colors, colors + 1)
        }
    }

    private func write(
        _ y: Int, _ cb: Int, cr: Int, to pixels: UnsafeMutableBufferPointer<UInt8>, place: Int
    ) {
        let light = (y - black) * luma + 32_768
        let (blueness, redness) = (cb - 128, cr - 128)
        pixels[place] = UInt8(clamping: (light + redFromCr * redness) >> 16)
        pixels[place + 1] = UInt8(
            clamping: (light - greenFromCb * blueness - greenFromCr * redness) >> 16)
        pixels[place + 2] = UInt8(clamping: (light + blueFromCb * blueness) >> 16)
    }
}
