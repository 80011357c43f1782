@testable import Imaging

/// A generator that gives the same numbers in every run: SplitMix64.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}

extension Raster {
    /// Noise in any pixel format; bits beyond a bilevel row's last column are clear.
    static func noise(
        _ width: Int, _ height: Int, _ format: PixelFormat, seed: UInt64 = 1,
        resolution: Double? = nil
    ) -> Raster {
        var generator = SeededGenerator(seed: seed)
        return painted(width, height, format, resolution: resolution) { _, _, _ in
            Int(generator.next() % UInt64(format.largestSample + 1))
        }
    }

    /// A raster with the samples that `value` returns; in a bilevel raster 1 is black.
    static func painted(
        _ width: Int, _ height: Int, _ format: PixelFormat, resolution: Double? = nil,
        _ value: (_ x: Int, _ y: Int, _ channel: Int) -> Int
    ) -> Raster {
        var raster = Raster(width: width, height: height, format: format, resolution: resolution)
        let stride = raster.stride
        raster.withMutableBytes { bytes in
            for y in 0..<height {
                for x in 0..<width {
                    for channel in 0..<format.channels {
                        let sample = value(x, y, channel)
                        let index = x * format.channels + channel
                        switch format {
                        case .bilevel:
                            if sample != 0 { bytes[y * stride + x / 8] |= 0x80 >> UInt8(x % 8) }
                        case .gray8, .rgb8: bytes[y * stride + index] = UInt8(sample)
                        case .gray16, .rgb16:
                            bytes.storeBytes(
                                of: UInt16(sample), toByteOffset: y * stride + 2 * index,
                                as: UInt16.self)
                        }
                    }
                }
            }
        }
        return raster
    }

    /// All samples, row after row.
    var samples: [Int] {
        withBytes { bytes in
            var result: [Int] = []
            result.reserveCapacity(width * height * format.channels)
            for y in 0..<height {
                for index in 0..<width * format.channels { result.append(value(bytes, y, index)) }
            }
            return result
        }
    }

    /// The sample of one channel of a pixel.
    func sample(_ x: Int, _ y: Int, _ channel: Int = 0) -> Int {
        withBytes { value($0, y, x * format.channels + channel) }
    }

    private func value(_ bytes: UnsafeRawBufferPointer, _ y: Int, _ index: Int) -> Int {
        switch format {
        case .bilevel: Int(bytes[y * stride + index / 8] >> UInt8(7 - index % 8)) & 1
        case .gray8, .rgb8: Int(bytes[y * stride + index])
        case .gray16, .rgb16:
            Int(bytes.loadUnaligned(fromByteOffset: y * stride + 2 * index, as: UInt16.self))
        }
    }

    /// The same pixels in memory that the raster does not own, with rows that are `extra` bytes
    /// further apart than necessary.
    func spreadOut(by extra: Int) -> Raster {
        let wide = stride + extra
        let bytes = UnsafeMutableRawBufferPointer.allocate(byteCount: wide * height, alignment: 1)
        bytes.initializeMemory(as: UInt8.self, repeating: 0xA5)
        withBytes { from in
            for y in 0..<height {
                for i in 0..<stride { bytes[y * wide + i] = from[y * stride + i] }
            }
        }
        nonisolated(unsafe) let owned = bytes
        return Raster(
            width: width, height: height, format: format, stride: wide, resolution: resolution,
            adopting: bytes, release: { owned.deallocate() })
    }
}

extension PixelFormat {
    var largestSample: Int {
        switch self {
        case .bilevel: 1
        case .gray8, .rgb8: 255
        case .gray16, .rgb16: 65535
        }
    }
}

/// The largest difference between two lists of samples.
func largestDifference(_ a: [Int], _ b: [Int]) -> Int {
    zip(a, b).reduce(a.count == b.count ? 0 : .max) { max($0, abs($1.0 - $1.1)) }
}

/// A page of dark bars for words on white, in level lines, with more ascenders than descenders, as
/// in text.
func textPage(width: Int, height: Int, resolution: Double = 300, seed: UInt64 = 7) -> Raster {
    var generator = SeededGenerator(seed: seed)
    var ink = [Bool](repeating: false, count: width * height)
    func fill(_ x0: Int, _ y0: Int, _ w: Int, _ h: Int) {
        for y in max(0, y0)..<min(height, y0 + h) {
            for x in max(0, x0)..<min(width, x0 + w) { ink[y * width + x] = true }
        }
    }
    let scale = resolution / 300
    let size = max(1, Int(20 * scale))
    let stroke = max(1, Int(5 * scale))
    var y = Int(150 * scale)
    while y < height - Int(150 * scale) {
        var x = Int(150 * scale)
        while x < width - Int(250 * scale) {
            for _ in 0..<Int.random(in: 2...8, using: &generator) {
                // A letter: two stems, sometimes joined, some with an ascender, few with a
                // descender.
                fill(x, y, stroke, size)
                fill(x + size - 2 * stroke, y, stroke, size)
                if Bool.random(using: &generator) {
                    fill(x, y + size - stroke, size - stroke, stroke)
                } else {
                    fill(x, y, size - stroke, stroke)
                }
                let kind = Int.random(in: 0..<10, using: &generator)
                if kind < 4 { fill(x, y - size * 2 / 3, stroke, size) }
                if kind == 9 { fill(x, y, stroke, size * 5 / 3) }
                x += size
            }
            x += size
        }
        y += Int(60 * scale)
    }
    return Raster.painted(width, height, .gray8, resolution: resolution) { x, y, _ in
        ink[y * width + x] ? 30 : 240
    }
}
