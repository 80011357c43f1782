import Testing

@testable import Imaging

@Suite struct CameraFrameTests {
    /// A smooth picture with an edge, so that different methods of reduction give nearly the same
    /// result.
    private static func level(_ x: Int, _ y: Int) -> Int {
        40 + x / 16 + y / 16 + (x > 300 ? 60 : 0)
    }

    /// The picture's bytes in a format; colors are gray.
    private static func bytes(_ format: CameraFormat, _ width: Int, _ height: Int) throws -> [UInt8]
    {
        func gray(_ x: Int, _ y: Int) -> UInt8 { UInt8(level(x, y)) }
        var bytes: [UInt8] = []
        switch format {
        case .jpeg:
            let raster = Raster.painted(width, height, .rgb8) { x, y, _ in level(x, y) }
            return try raster.encodedJPEG(quality: 95)
        case .nv12:
            for y in 0..<height { for x in 0..<width { bytes.append(gray(x, y)) } }
            bytes += [UInt8](repeating: 128, count: (height + 1) / 2 * width)
            return bytes
        default: break
        }
        for y in 0..<height {
            for x in 0..<width {
                switch format {
                case .gray8: bytes.append(gray(x, y))
                case .rgb8: bytes += [gray(x, y), gray(x, y), gray(x, y)]
                case .yuyv: bytes += [gray(x, y), 128]
                default: bytes += [128, gray(x, y)]
                }
            }
        }
        return bytes
    }

    private static func stride(_ format: CameraFormat, _ width: Int) -> Int {
        switch format {
        case .gray8, .nv12: width
        case .rgb8: 3 * width
        case .yuyv, .uyvy: 2 * width
        case .jpeg: 0
        }
    }

    @Test(
        "Every format gives the same brightness at the same reduced size",
        arguments: CameraFormat.allCases, [(1280, 720), (640, 480), (320, 240)])
    func luma(format: CameraFormat, size: (Int, Int)) throws {
        let (width, height) = size
        let bytes = try Self.bytes(format, width, height)
        var reader = LumaReader(longSide: 320)
        try bytes.withUnsafeBytes {
            try reader.read(
                CameraFrame(
                    format: format, width: width, height: height,
                    stride: Self.stride(format, width), bytes: $0))
        }
        let luma = reader.luma
        let factor = width / 320
        #expect((luma.width, luma.height) == (320, height / factor))
        #expect((reader.frameWidth, reader.frameHeight) == size)
        var worst = 0
        luma.withBytes { pixels in
            for y in 0..<luma.height {
                for x in 0..<luma.width {
                    let (left, top) = (x * factor, y * factor)
                    // Next to the edge, the methods of reduction differ.
                    guard (left - 300).magnitude > 3 * factor else { continue }
                    let true_ = Self.level(left + factor / 2, top + factor / 2)
                    worst = max(worst, abs(Int(pixels[y * luma.stride + x]) - true_))
                }
            }
        }
        // JPEG is slightly lossy.
        #expect(worst <= 4)
    }

    @Test(
        "Colors are restored from luma and color differences",
        arguments: [CameraFormat.yuyv, .uyvy, .nv12])
    func colors(format: CameraFormat) throws {
        // Red, green, blue, white and black by the table of ITU-R BT.601 for limited range.
        let table: [(yuv: (UInt8, UInt8, UInt8), rgb: [Int])] = [
            ((81, 90, 240), [255, 0, 0]), ((145, 54, 34), [0, 255, 0]),
            ((41, 240, 110), [0, 0, 255]), ((235, 128, 128), [255, 255, 255]),
            ((16, 128, 128), [0, 0, 0]),
        ]
        for (yuv, rgb) in table {
            let (y, cb, cr) = yuv
            let bytes: [UInt8] =
                switch format {
                case .yuyv: [y, cb, y, cr, y, cb, y, cr]
                case .uyvy: [cb, y, cr, y, cb, y, cr, y]
                default: [y, y, y, y, cb, cr]
                }
            let raster = try bytes.withUnsafeBytes {
                try CameraFrame(
                    format: format, width: 2, height: 2, stride: format == .nv12 ? 2 : 4, bytes: $0
                ).raster()
            }
            for pixel in 0..<4 {
                for channel in 0..<3 {
                    #expect(abs(raster.samples[3 * pixel + channel] - rgb[channel]) <= 2)
                }
            }
        }
    }

    @Test("Plain formats are copied, with rows of any stride")
    func plain() throws {
        let bytes: [UInt8] = [1, 2, 3, 99, 4, 5, 6]
        let raster = try bytes.withUnsafeBytes {
            try CameraFrame(format: .gray8, width: 3, height: 2, stride: 4, bytes: $0).raster()
        }
        #expect(raster.samples == [1, 2, 3, 4, 5, 6])
    }

    @Test(
        "Frames larger than their memory are refused",
        arguments: CameraFormat.allCases.filter { $0 != .jpeg })
    func short(format: CameraFormat) throws {
        let whole = try Self.bytes(format, 8, 6)
        let stride = Self.stride(format, 8)
        whole.withUnsafeBytes { bytes in
            #expect(throws: Never.self) {
                _ = try CameraFrame(
                    format: format, width: 8, height: 6, stride: stride, bytes: bytes)
            }
            for (width, height, stride, count) in [
                (8, 6, stride, whole.count - 1), (8, 7, stride, whole.count),
                (8, 6, stride - 1, whole.count), (0, 6, stride, whole.count),
                (8, -1, stride, whole.count), (8, 6, Int.max, whole.count),
            ] {
                #expect(throws: ImagingError.self) {
                    _ = try CameraFrame(
                        format: format, width: width, height: height, stride: stride,
                        bytes: UnsafeRawBufferPointer(rebasing: bytes[..<count]))
                }
            }
        }
    }

    @Test(
        "Bytes that are no JPEG picture give an error, and a damaged one its readable part",
        arguments: 1...40)
    func damaged(seed: UInt64) throws {
        var dice = SeededGenerator(seed: seed)
        var bytes = try Self.bytes(.jpeg, 64, 48)
        for _ in 0..<4 {
            bytes[Int.random(in: 0..<bytes.count, using: &dice)] = UInt8.random(
                in: 0...255, using: &dice)
        }
        bytes.removeLast(Int.random(in: 0..<bytes.count, using: &dice))
        var reader = LumaReader(longSide: 32)
        bytes.withUnsafeBytes { raw in
            do throws(ImagingError) {
                let frame = try CameraFrame(
                    format: .jpeg, width: 64, height: 48, stride: 0, bytes: raw)
                try reader.read(frame)
                #expect(reader.luma.width >= 1)
            } catch {
                #expect([.damagedData, .tooLarge].contains(error.code))
            }
        }
    }

    @Test(
        "A frame in color has at least the pixels for a closer look",
        arguments: [(2560, 1280), (2000, 2000), (640, 640), (5200, 1300)])
    func closer(width: Int, expected: Int) throws {
        let height = width / 4
        let picture = Raster.painted(width, height, .rgb8) { _, _, channel in
            [200, 40, 90][channel]
        }
        let whole = try picture.encodedJPEG(quality: 95)
        func read(_ bytes: [UInt8]) throws -> Raster {
            try bytes.withUnsafeBytes {
                try CameraFrame(format: .jpeg, width: width, height: height, stride: 0, bytes: $0)
                    .raster(longSide: 1280)
            }
        }
        let close = try read(whole)
        #expect(close.format == .rgb8 && close.width == expected)
        #expect((close.height - expected / 4).magnitude <= 1)
        for (sample, level) in zip(close.samples, [200, 40, 90]) {
            #expect((Int(sample) - level).magnitude <= 6)
        }
        #expect(throws: ImagingError.self) {
            try read(Array(whole.prefix(whole.count / 2)))
        }
    }

    @Test(
        "A JPEG picture without its lower part is distinguished from a complete one, with and without its end mark",
        arguments: [false, true])
    func cut(isEnded: Bool) throws {
        let whole = try Self.bytes(.jpeg, 640, 480)
        let end: [UInt8] = isEnded ? [0xff, 0xd9] : []
        var reader = LumaReader(longSide: 320)
        func readsAsCut(_ bytes: [UInt8]) throws -> Bool {
            try bytes.withUnsafeBytes {
                try reader.read(
                    CameraFrame(format: .jpeg, width: 640, height: 480, stride: 0, bytes: $0))
            }
            return reader.isCut
        }
        for part in [0.3, 0.5, 0.95] {
            #expect(try readsAsCut(whole.prefix(Int(part * Double(whole.count))) + end))
        }
        #expect(try !readsAsCut(whole.dropLast(2) + end))
        try [UInt8](repeating: 128, count: 640 * 480).withUnsafeBytes {
            try reader.read(
                CameraFrame(format: .gray8, width: 640, height: 480, stride: 640, bytes: $0))
        }
        let isCut = reader.isCut
        #expect(!isCut)
    }

    @Test("A copied picture stays unchanged when the next frame is read")
    func kept() throws {
        var reader = LumaReader(longSide: 16)
        let (dark, light) = (
            [UInt8](repeating: 10, count: 256), [UInt8](repeating: 200, count: 256)
        )
        func read(_ bytes: [UInt8]) throws {
            try bytes.withUnsafeBytes {
                try reader.read(
                    CameraFrame(format: .gray8, width: 16, height: 16, stride: 16, bytes: $0))
            }
        }
        try read(dark)
        let kept = reader.luma
        try read(light)
        #expect(kept.samples.allSatisfy { $0 == 10 })
        #expect(reader.luma.samples.allSatisfy { $0 == 200 })
    }
}
