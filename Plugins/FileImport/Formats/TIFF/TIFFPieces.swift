import CTIFF
import CaptureKit

/// Reads the strips or tiles of a TIFF directory piece by piece; unreadable ones are left out.
struct TIFFPieces {
    let tiff: OpaquePointer
    let limits: ImportLimits
    let cancel: CancelFlag

    /// Calls `body` with a part of a row at a time: its bytes, its place, and its number of pixels.
    ///
    /// - Parameters:
    ///   - plane: the plane of samples to read; 0 if samples are side by side.
    ///   - rowBytes: the bytes that a number of pixels take.
    /// - Returns: true when at least one piece could be read.
    func read(
        width: Int, height: Int, plane: Int, rowBytes: (Int) -> Int,
        _ body: (_ bytes: UnsafeRawBufferPointer, _ x: Int, _ y: Int, _ width: Int) -> Void
    ) throws(DecodeFault) -> Bool {
        if TIFFIsTiled(tiff) != 0 {
            return try readTiles(
                width: width, height: height, plane: plane, rowBytes: rowBytes, body)
        }
        guard TIFFScanlineSize64(tiff) == UInt64(rowBytes(width)) else {
            throw .damaged("the length of its rows does not match its width")
        }
        let row = try PixelBuffer(byteCount: rowBytes(width))
        var isAnyRead = false
        for y in 0..<height {
            try cancel.check()
            guard
                TIFFReadScanline(tiff, row.mutableBytes.baseAddress, UInt32(y), UInt16(plane)) == 1
            else {
                continue
            }
            body(row.bytes, 0, y, width)
            isAnyRead = true
        }
        return isAnyRead
    }

    private func readTiles(
        width: Int, height: Int, plane: Int, rowBytes: (Int) -> Int,
        _ body: (_ bytes: UnsafeRawBufferPointer, _ x: Int, _ y: Int, _ width: Int) -> Void
    ) throws(DecodeFault) -> Bool {
        guard let tileWidth = tiff.number(TIFFTAG_TILEWIDTH), tileWidth > 0,
            let tileHeight = tiff.number(TIFFTAG_TILELENGTH), tileHeight > 0
        else { throw .damaged("its tiles have no size") }
        let stride = rowBytes(tileWidth)
        try limits.check(
            width: tileWidth, height: tileHeight, bytesPerPixel: max(1, stride / tileWidth))
        let size = TIFFTileSize64(tiff)
        guard size == UInt64(stride) * UInt64(tileHeight) else {
            throw .damaged("the size of its tiles does not match their sides")
        }
        let tile = try PixelBuffer(byteCount: Int(size))
        var isAnyRead = false
        for top in Swift.stride(from: 0, to: height, by: tileHeight) {
            for left in Swift.stride(from: 0, to: width, by: tileWidth) {
                try cancel.check()
                guard
                    TIFFReadTile(
                        tiff, tile.mutableBytes.baseAddress, UInt32(left), UInt32(top), 0,
                        UInt16(plane)) >= 0
                else { continue }
                isAnyRead = true
                for y in 0..<min(tileHeight, height - top) {
                    let row = UnsafeRawBufferPointer(tile.row(y, length: stride))
                    body(row, left, top + y, min(tileWidth, width - left))
                }
            }
        }
        return isAnyRead
    }
}
