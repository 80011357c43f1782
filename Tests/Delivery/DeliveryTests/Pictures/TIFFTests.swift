import CTIFF
import Documents
import Imaging
import Testing

@testable import Delivery

/// A page as libtiff reads it.
private struct ReadPage {
    var pixels: [UInt8]
    var numbers: [UInt32: UInt32] = [:]
    var resolution: Float = 0
    var name = ""
}

private func readPages(_ path: String) throws -> [ReadPage] {
    let tiff = try #require(TIFFOpen(path, "r"))
    defer { TIFFClose(tiff) }
    var pages: [ReadPage] = []
    repeat {
        var pixels = [UInt8](
            repeating: 0, count: Int(TIFFNumberOfStrips(tiff)) * Int(TIFFStripSize(tiff)))
        var place = 0
        for strip in 0..<TIFFNumberOfStrips(tiff) {
            let count = pixels.withUnsafeMutableBytes {
                TIFFReadEncodedStrip(tiff, strip, $0.baseAddress?.advanced(by: place), -1)
            }
            try #require(count > 0)
            place += Int(count)
        }
        var page = ReadPage(pixels: Array(pixels[..<place]))
        for tag in [
            TIFFTAG_COMPRESSION, TIFFTAG_PREDICTOR, TIFFTAG_BITSPERSAMPLE, TIFFTAG_PHOTOMETRIC,
            TIFFTAG_SAMPLESPERPIXEL,
        ] {
            page.numbers[UInt32(tag)] = UInt32(copystand_tiff_get_short(tiff, UInt32(tag)))
        }
        page.resolution = copystand_tiff_get_real(tiff, UInt32(TIFFTAG_XRESOLUTION))
        page.name =
            copystand_tiff_get_text(tiff, UInt32(TIFFTAG_PAGENAME)).map { String(cString: $0) }
            ?? ""
        pages.append(page)
    } while TIFFReadDirectory(tiff) == 1
    return pages
}

@Suite struct TIFFTests {
    @Test("Pages of every kind are read back pixel for pixel, with their resolution and name")
    func roundTrip() throws {
        let folder = try TemporaryFolder()
        let pictures = PixelFormat.allCases.map { samplePicture($0, width: 333, height: 222) }
        let pages = pictures.enumerated().map { samplePage($1, number: $0 + 1) }
        try deliver(pages, to: folder.path + "/a.tiff")
        let read = try readPages(folder.path + "/a.tiff")
        try #require(read.count == pictures.count)
        for (index, (page, picture)) in zip(read, pictures).enumerated() {
            #expect(page.resolution == 75)
            #expect(page.name == "may \(index + 1).jpg")
            let isBilevel = picture.format == .bilevel
            let compression = isBilevel ? COMPRESSION_CCITTFAX4 : COMPRESSION_ADOBE_DEFLATE
            #expect(page.numbers[UInt32(TIFFTAG_COMPRESSION)] == UInt32(compression))
            #expect(
                page.numbers[UInt32(TIFFTAG_BITSPERSAMPLE)]
                    == UInt32(picture.format.bitsPerPixel / picture.format.channels))
            if !isBilevel {
                #expect(page.numbers[UInt32(TIFFTAG_PREDICTOR)] == UInt32(PREDICTOR_HORIZONTAL))
            }
            let rowBytes = picture.format.minimumStride(width: 333)
            let mask: UInt8 = isBilevel ? 0xFF << 3 : 0xFF
            picture.withBytes { bytes in
                for row in 0..<222 {
                    var expected = Array(
                        bytes[row * picture.stride..<row * picture.stride + rowBytes])
                    var found = Array(page.pixels[row * rowBytes..<(row + 1) * rowBytes])
                    // Bits after the last pixel are undefined.
                    expected[rowBytes - 1] &= mask
                    found[rowBytes - 1] &= mask
                    #expect(found == expected, "\(picture.format) row \(row)")
                }
            }
        }
    }

    @Test(
        "Without compression the pixels are in the file unchanged, row after row",
        arguments: PixelFormat.allCases)
    func uncompressed(_ format: PixelFormat) throws {
        let folder = try TemporaryFolder()
        let picture = samplePicture(format, width: 333, height: 2222)
        try deliver(
            [
                samplePage(picture),
                samplePage(samplePicture(.gray8, width: 9, height: 3), number: 2),
            ],
            to: folder.path + "/a.tiff", options: FileSinkOptions(compressesTIFF: false))
        let pages = try readPages(folder.path + "/a.tiff")
        try #require(pages.count == 2)
        #expect(pages[0].numbers[UInt32(TIFFTAG_COMPRESSION)] == UInt32(COMPRESSION_NONE))
        let rowBytes = format.minimumStride(width: 333)
        let expected = picture.withBytes { bytes in
            (0..<2222).flatMap { bytes[$0 * picture.stride..<$0 * picture.stride + rowBytes] }
        }
        let isSame = pages[0].pixels == expected
        #expect(isSame)
        let file = try contents(folder.path + "/a.tiff")
        // The whole page is stored in one piece, so any program can find its pixels.
        #expect(file.count < expected.count + 27 + 8192)
    }

    @Test("Rows that are padded in memory are not padded in the file")
    func uncompressedPadded() throws {
        let folder = try TemporaryFolder()
        var bytes = [UInt8](repeating: 0xEE, count: 16 * 4)
        for row in 0..<4 {
            for column in 0..<10 { bytes[row * 16 + column] = UInt8(row * 10 + column) }
        }
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: bytes.count, alignment: 16)
        memory.copyBytes(from: bytes)
        nonisolated(unsafe) let owned = memory
        let picture = Raster(
            width: 10, height: 4, format: .gray8, stride: 16, adopting: memory,
            release: { owned.deallocate() })
        try deliver(
            [samplePage(picture)], to: folder.path + "/a.tiff",
            options: FileSinkOptions(compressesTIFF: false))
        #expect(try readPages(folder.path + "/a.tiff")[0].pixels == Array(0..<40))
    }

    @Test("In another reader, a bilevel page has the right polarity")
    func polarity() throws {
        let folder = try TemporaryFolder()
        var picture = Raster(width: 64, height: 64, format: .bilevel)
        picture.withMutableBytes { $0[0] = 0xFF }
        try deliver([samplePage(picture)], to: folder.path + "/a.tif")
        let script =
            "from PIL import Image; i = Image.open('\(folder.path)/a.tif'); "
            + "print(i.mode, i.getpixel((0, 0)), i.getpixel((20, 20)), i.info.get('dpi'))"
        let answer = try run("/usr/bin/python3", "-c", script)
        #expect(answer.output == "1 0 255 (75.0, 75.0)\n", "\(answer)")
    }

    @Test("A document of many pages is complete")
    func manyPages() throws {
        let folder = try TemporaryFolder()
        let pages = (1...50).map {
            samplePage(samplePicture(.gray8, width: 40, height: 30), number: $0)
        }
        try deliver(pages, to: folder.path + "/a.tiff")
        #expect(
            try readPages(folder.path + "/a.tiff").map(\.name) == (1...50).map { "may \($0).jpg" })
    }
}
