import CLinePictures
import Testing

@Suite("Pictures of lines in memory") struct LinePicturesTests {
    /// Writes a picture in a format.
    ///
    /// Returns its first bytes and whether it reads back unchanged.
    private func written(_ format: Int) throws -> (start: [UInt8], isSame: Bool) {
        let picture = try #require(pixCreate(90, 36, 8))
        var (first, second): (UnsafeMutablePointer<PIX>?, UnsafeMutablePointer<PIX>?)
        first = picture
        defer {
            pixDestroy(&first)
            pixDestroy(&second)
        }
        for x in 0..<90 { pixSetPixel(picture, Int32(x), Int32(x % 36), UInt32(x)) }
        var bytes: UnsafeMutablePointer<UInt8>?
        var size = 0
        #expect(pixWriteMem(&bytes, &size, picture, Int32(format)) == 0)
        let data = try #require(bytes)
        defer { lept_free(data) }
        second = pixReadMem(data, size)
        var isSame: Int32 = 0
        pixEqual(picture, second, &isSame)
        return (Array(UnsafeBufferPointer(start: data, count: min(4, size))), isSame == 1)
    }

    @Test("A picture requested as PNG is not compressed, and reads back as it was")
    func plain() throws {
        let (start, isSame) = try written(IFF_PNG)
        #expect(start == Array("spix".utf8) && isSame)
    }

    @Test("Other formats are leptonica's own")
    func others() throws {
        let (start, isSame) = try written(IFF_TIFF_LZW)
        #expect(Array(start.prefix(2)) == Array("II".utf8) && isSame)
    }
}
