import CaptureKit

/// Converts the samples of a live frame to the protocol's: BT.601 of 16…235, or gray and colors of
/// 0…255.
struct LevelChange: Sendable {
    private let form: FrameForm
    private let map: Map

    /// Y' = y·Y + (yb·Cb + yr·Cr), Cb' = bb·Cb + br·Cr, Cr' = rb·Cb + rr·Cr, each from its own
    /// zero, times 65,536.
    private struct Map: Sendable {
        var y = 0, yb = 0, yr = 0, bb = 0, br = 0, rb = 0, rr = 0
        var black = 0
    }

    /// The conversion for frames of a form; nil when they need none.
    init?(_ form: FrameForm) {
        self.form = form
        let signal = form.signal
        guard form.route.isYCbCr else {
            guard !signal.isFullRange, form.route != .native(.jpeg), form.route != .converted
            else { return nil }
            map = Map(y: Self.fixed(255.0 / 219), black: 16)
            return
        }
        let standard = VideoSignal.standard
        guard signal != standard else { return nil }
        let (scale, colorScale) = signal.isFullRange ? (219.0 / 255, 224.0 / 255) : (1, 1)
        // Red and blue minus brightness, as multiples of Cr and Cb; green follows from them.
        let (cr, cb) = (2 * (1 - signal.red), 2 * (1 - signal.blue))
        let green = 1 - signal.red - signal.blue
        let (greenFromCb, greenFromCr) = (-cb * signal.blue / green, -cr * signal.red / green)
        // The brightness with the standard's weights, minus that with the signal's own.
        let standardGreen = 1 - standard.red - standard.blue
        let yb = standard.blue * cb + standardGreen * greenFromCb
        let yr = standard.red * cr + standardGreen * greenFromCr
        let (b, r) = (2 * (1 - standard.blue), 2 * (1 - standard.red))
        map = Map(
            y: Self.fixed(scale), yb: Self.fixed(yb * colorScale * 219 / 224),
            yr: Self.fixed(yr * colorScale * 219 / 224),
            bb: Self.fixed((cb - yb) / b * colorScale), br: Self.fixed(-yr / b * colorScale),
            rb: Self.fixed(-yb / r * colorScale), rr: Self.fixed((cr - yr) / r * colorScale),
            black: signal.isFullRange ? 0 : 16)
    }

    private static func fixed(_ factor: Double) -> Int { Int((factor * 65_536).rounded()) }

    /// Writes the converted frame to `result`, which is as large.
    func write(_ bytes: UnsafeRawBufferPointer, to result: UnsafeMutableRawBufferPointer) {
        let (width, height) = (form.size.width, form.size.height)
        switch form.route {
        case .native(.yuyv), .native(.uyvy):
            let isBrightFirst = form.route == .native(.yuyv)
            let (y, c) = isBrightFirst ? (0, 1) : (1, 0)
            for row in 0..<height {
                let start = row * form.stride
                for place in stride(from: start, to: start + (width + 1) / 2 * 4, by: 4) {
                    let (cb, cr) = (Int(bytes[place + c]) - 128, Int(bytes[place + c + 2]) - 128)
                    let shift = map.yb * cb + map.yr * cr
                    result[place + y] = bright(bytes[place + y], shift)
                    result[place + y + 2] = bright(bytes[place + y + 2], shift)
                    result[place + c] = color(map.bb * cb + map.br * cr)
                    result[place + c + 2] = color(map.rb * cb + map.rr * cr)
                }
            }
        case .native(.nv12): writePlanes(bytes, to: result)
        default: stretch(bytes, to: result)
        }
    }

    /// Converts NV12, in which two by two pixels share their color.
    private func writePlanes(
        _ bytes: UnsafeRawBufferPointer, to result: UnsafeMutableRawBufferPointer
    ) {
        let (width, height) = (form.size.width, form.size.height)
        for pair in 0..<((height + 1) / 2) {
            let colors = (height + pair) * form.stride
            for x in stride(from: 0, to: width, by: 2) {
                let (cb, cr) = (Int(bytes[colors + x]) - 128, Int(bytes[colors + x + 1]) - 128)
                let shift = map.yb * cb + map.yr * cr
                for y in (2 * pair)..<min(2 * pair + 2, height) {
                    for place in (y * form.stride + x)..<(y * form.stride + min(x + 2, width)) {
                        result[place] = bright(bytes[place], shift)
                    }
                }
                result[colors + x] = color(map.bb * cb + map.br * cr)
                result[colors + x + 1] = color(map.rb * cb + map.rr * cr)
            }
        }
    }

    /// Stretches gray or packed colors of 16…235.
    func stretch(_ pixels: inout [UInt8]) {
        pixels.withUnsafeMutableBytes { stretch(UnsafeRawBufferPointer($0), to: $0) }
    }

    /// Stretches samples from one place in memory to another.
    private func stretch(_ bytes: UnsafeRawBufferPointer, to result: UnsafeMutableRawBufferPointer)
    {
        for place in 0..<min(bytes.count, result.count) {
            result[place] = UInt8(
                clamping: ((Int(bytes[place]) - map.black) * map.y + 32_768) >> 16)
        }
    }

    private func bright(_ level: UInt8, _ shift: Int) -> UInt8 {
        UInt8(clamping: 16 + ((Int(level) - map.black) * map.y + shift + 32_768) >> 16)
    }

    private func color(_ sum: Int) -> UInt8 { UInt8(clamping: 128 + (sum + 32_768) >> 16) }
}
