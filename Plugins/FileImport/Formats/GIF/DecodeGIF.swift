import CGIF
import CaptureKit

/// Decodes the first picture of a GIF file, drawn on a white canvas (giflib, `DGifGetLine`).
///
/// Later pictures are reported and not decoded.
func decodeGIF(
    _ bytes: UnsafeRawBufferPointer, limits: ImportLimits, cancel: CancelFlag
) throws(DecodeFault) -> DecodedPage {
    let input = GIFInput(bytes)
    let context = Unmanaged.passUnretained(input).toOpaque()
    var code: Int32 = 0
    guard let gif = DGifOpen(context, GIFInput.read, &code) else { throw .damaged(reason(code)) }
    defer {
        DGifCloseFile(gif, nil)
        withExtendedLifetime(input) {}
    }
    var transparent: Int?
    guard try nextPicture(gif, &transparent, cancel) else { throw .damaged("it holds no picture") }
    let picture = gif.pointee.Image
    let area = (
        x: Int(picture.Left), y: Int(picture.Top), width: Int(picture.Width),
        height: Int(picture.Height)
    )
    let width = max(Int(gif.pointee.SWidth), area.x + area.width)
    let height = max(Int(gif.pointee.SHeight), area.y + area.height)
    // Memory for the picture in color and its gray copy.
    try limits.check(width: width, height: height, bytesPerPixel: 4)
    try limits.check(width: area.width, height: area.height, bytesPerPixel: 4)
    // A code of 12 bits stands for 4,096 pixels at most; the canvas around the picture costs
    // nothing.
    try limits.check(
        width: width, height: height, stored: bytes.count,
        least: max(
            area.width * area.height / 2_731,
            ImportLimits.leastStored(decoded: width * height * 3)))
    guard let map = picture.ColorMap ?? gif.pointee.SColorMap, let colors = map.pointee.Colors
    else {
        throw .damaged("it has no palette")
    }
    let palette = UnsafeBufferPointer(start: colors, count: Int(map.pointee.ColorCount))

    let page = try DecodedPage(format: .rgb8, width: width, height: height, limits: limits)
    page.whiten(from: 0)
    let damage = try draw(gif, palette, transparent: transparent, on: page, cancel)
    var result = try page.reduced(limits: limits)
    result.damage = damage
    if damage == nil { result.isAnimation = try nextPicture(gif, &transparent, cancel) }
    return result
}

/// Draws the rows of a file's present picture, as far as they can be decoded.
///
/// - Parameter transparent: the number of the palette that leaves the canvas as it is.
/// - Returns: the damage that ended the rows; nil for none.
private func draw(
    _ gif: UnsafeMutablePointer<GifFileType>, _ palette: UnsafeBufferPointer<GifColorType>,
    transparent: Int?, on page: DecodedPage, _ cancel: CancelFlag
) throws(DecodeFault) -> String? {
    let picture = gif.pointee.Image
    let (left, top, width) = (Int(picture.Left), Int(picture.Top), Int(picture.Width))
    let line = try PixelBuffer(byteCount: width)
    var rows = 0
    for y in GIFRows(height: Int(picture.Height), isInterlaced: picture.Interlace) {
        try cancel.check()
        let pixels = line.mutableBytes.bindMemory(to: UInt8.self)
        guard DGifGetLine(gif, pixels.baseAddress, Int32(width)) == GIF_OK else {
            let damage = reason(gif.pointee.Error)
            if rows == 0 { throw .damaged(damage) }
            return damage
        }
        let row = page.row(top + y)
        for x in 0..<width where Int(pixels[x]) != transparent {
            let index = Int(pixels[x])
            let at = (left + x) * 3
            let color = index < palette.count ? palette[index] : GifColorType()
            (row[at], row[at + 1], row[at + 2]) = (color.Red, color.Green, color.Blue)
        }
        rows += 1
    }
    guard rows > 0 else { throw .damaged("its picture data can't be decoded") }
    return nil
}

/// Moves to the header of the next picture, and records which number of its palette is transparent;
/// false at the end.
///
/// Any unreadable data after the first picture ends the file.
private func nextPicture(
    _ gif: UnsafeMutablePointer<GifFileType>, _ transparent: inout Int?, _ cancel: CancelFlag
) throws(DecodeFault) -> Bool {
    while true {
        try cancel.check()
        var kind = UNDEFINED_RECORD_TYPE
        guard DGifGetRecordType(gif, &kind) == GIF_OK else { return false }
        switch kind {
        case IMAGE_DESC_RECORD_TYPE:
            return DGifGetImageDesc(gif) == GIF_OK
        case EXTENSION_RECORD_TYPE:
            var code: Int32 = 0
            var block: UnsafeMutablePointer<GifByteType>?
            guard DGifGetExtension(gif, &code, &block) == GIF_OK else { return false }
            while let bytes = block {
                var control = GraphicsControlBlock()
                // The first byte is the block's length.
                if code == GRAPHICS_EXT_FUNC_CODE,
                    DGifExtensionToGCB(Int(bytes[0]), bytes + 1, &control) == GIF_OK
                {
                    transparent =
                        control.TransparentColor >= 0 ? Int(control.TransparentColor) : nil
                }
                guard DGifGetExtensionNext(gif, &block) == GIF_OK else { return false }
            }
        default: return false
        }
    }
}

/// The rows of a picture in the order of the file (GIF89a, appendix E).
private struct GIFRows: Sequence, IteratorProtocol {
    private let height: Int
    private var passes: [(start: Int, step: Int)]
    private var y = 0

    init(height: Int, isInterlaced: Bool) {
        self.height = height
        passes = isInterlaced ? [(0, 8), (4, 8), (2, 4), (1, 2)] : [(0, 1)]
    }

    mutating func next() -> Int? {
        while !passes.isEmpty, y >= height {
            passes.removeFirst()
            y = passes.first?.start ?? 0
        }
        guard let pass = passes.first else { return nil }
        defer { y += pass.step }
        return y
    }
}

/// The bytes of a file as giflib reads them.
private final class GIFInput {
    private let bytes: UnsafeRawBufferPointer
    private var offset = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    static let read: InputFunc = { gif, target, count in
        guard let context = gif?.pointee.UserData, let target, count > 0 else { return 0 }
        let input = Unmanaged<GIFInput>.fromOpaque(context).takeUnretainedValue()
        let most = min(Int(count), input.bytes.count - input.offset)
        guard most > 0, let start = input.bytes.baseAddress else { return 0 }
        UnsafeMutableRawPointer(target).copyMemory(from: start + input.offset, byteCount: most)
        input.offset += most
        return Int32(most)
    }
}

private func reason(_ code: Int32) -> String {
    GifErrorString(code).map { printable(String(cString: $0)) } ?? "it can't be decoded"
}
