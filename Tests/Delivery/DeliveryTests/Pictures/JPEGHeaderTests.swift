import Imaging
import Testing

@testable import Delivery

private let gray = samplePicture(.gray8, width: 40, height: 24)

/// The JPEG with a segment inserted after its first marker.
private func with(_ marker: UInt8, _ segment: [UInt8], in jpeg: [UInt8]) -> [UInt8] {
    let count = segment.count + 2
    return jpeg[..<2] + [0xFF, marker, UInt8(count >> 8), UInt8(count & 0xFF)] + segment
        + jpeg[2...]
}

private func exif(orientation: UInt8, isLittle: Bool) -> [UInt8] {
    let head = Array("Exif\0\0".utf8)
    return isLittle
        ? head + [
            0x49, 0x49, 42, 0, 8, 0, 0, 0, 1, 0, 0x12, 1, 3, 0, 1, 0, 0, 0, orientation, 0, 0, 0,
        ]
        : head + [
            0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 1, 0x12, 0, 3, 0, 0, 0, 1, 0, orientation, 0, 0,
        ]
}

@Suite struct JPEGHeaderTests {
    @Test("Size and components are read", arguments: [(PixelFormat.gray8, 1), (.rgb8, 3)])
    func reads(format: PixelFormat, components: Int) throws {
        let jpeg = try samplePicture(format, width: 40, height: 24).encodedJPEG()
        let head = try #require(JPEGHeader(jpeg))
        #expect((head.width, head.height, head.components) == (40, 24, components))
        #expect(head.canStandFor(width: 40, height: 24))
        #expect(!head.canStandFor(width: 24, height: 40))
    }

    @Test("A JPEG that must be turned is not used unchanged", arguments: [true, false])
    func turned(isLittle: Bool) throws {
        let jpeg = try gray.encodedJPEG()
        let upright = with(0xE1, exif(orientation: 1, isLittle: isLittle), in: jpeg)
        #expect(JPEGHeader(upright)?.isCommon == true)
        let upsideDown = with(0xE1, exif(orientation: 3, isLittle: isLittle), in: jpeg)
        #expect(JPEGHeader(upsideDown)?.isCommon == false)

        let folder = try TemporaryFolder()
        try deliver([samplePage(gray, originalJPEG: upsideDown)], to: folder.path + "/a.jpg")
        try deliver([samplePage(gray, originalJPEG: upright)], to: folder.path + "/b.jpg")
        #expect(try contents(folder.path + "/a.jpg") != upsideDown)
        #expect(try contents(folder.path + "/b.jpg") == upright)
    }

    @Test("CMYK, 12-bit, arithmetic, lossless and RGB JPEGs are not used unchanged")
    func uncommon() throws {
        let color = try samplePicture(.rgb8, width: 40, height: 24).encodedJPEG()
        let frame = try #require(
            (0..<color.count - 1).first { color[$0] == 0xFF && color[$0 + 1] == 0xC0 })
        for (place, value) in [(frame + 1, 0xC3), (frame + 1, 0xC9), (frame + 4, 12)]
            as [(Int, UInt8)]
        {
            var changed = color
            changed[place] = value
            #expect(JPEGHeader(changed)?.isCommon == false)
        }
        var named = color
        for (index, letter) in "RGB".utf8.enumerated() { named[frame + 10 + 3 * index] = letter }
        #expect(JPEGHeader(named)?.isCommon == false)
        let adobe = Array("Adobe".utf8) + [0, 100, 0, 0, 0, 0, 0]
        #expect(JPEGHeader(with(0xEE, adobe, in: color))?.isCommon == false)
    }

    @Test("Bytes that are not a JPEG, or are cut or damaged anywhere, cause no crash")
    func damaged() throws {
        let jpeg = with(0xE1, exif(orientation: 6, isLittle: true), in: try gray.encodedJPEG())
        for count in 0..<jpeg.count { _ = JPEGHeader(Array(jpeg[..<count])) }
        var generator = SeededGenerator(state: 11)
        for _ in 0..<20_000 {
            var damaged = jpeg
            for _ in 0..<Int.random(in: 1...6, using: &generator) {
                damaged[Int.random(in: 0..<min(220, jpeg.count), using: &generator)] =
                    UInt8.random(in: 0...255, using: &generator)
            }
            if let head = JPEGHeader(damaged) {
                #expect(head.width < 65_536 && head.height < 65_536)
            }
        }
        #expect(JPEGHeader([]) == nil)
        #expect(JPEGHeader(Array("not a picture at all".utf8)) == nil)
    }
}
