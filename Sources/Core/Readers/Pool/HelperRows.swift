import CPosix
import CaptureKit
import Glibc
import Imaging
import Recognition
import UserFiles

/// The rows of a raster in the form for helpers: gray or bilevel, padded to 32-bit words, one chunk
/// at a time.
struct HelperRows: Sendable {
    private static let chunkBytes = 256 << 10
    /// The rows of a picture with at least this many bytes are released after copying, because the
    /// copy is just as large.
    private static let largeBytes = 256 << 20
    private let raster: Raster
    /// The format of the rows.
    let image: ReaderPicture

    /// Returns nil if the raster is larger than the engine accepts.
    init?(_ raster: Raster) {
        self.raster = raster
        image = ReaderPicture(
            width: raster.width, height: raster.height,
            format: raster.format == .bilevel ? .bilevel : .gray8,
            resolution: raster.resolution.flatMap { $0.isFinite ? $0 : nil })
        guard image.isValid else { return nil }
    }

    /// The rows from `row` on that fit into a chunk, nil after the last row; moves `row` past them.
    func chunk(from row: inout Int) -> [UInt8]? {
        guard row < image.height else { return nil }
        let rows = row..<min(image.height, row + max(1, Self.chunkBytes / image.stride))
        row = rows.upperBound
        defer { if raster.stride * raster.height > Self.largeBytes { raster.forget(before: row) } }
        return raster.withBytes { source in
            [UInt8](unsafeUninitializedCapacity: rows.count * image.stride) { chunk, count in
                chunk.initialize(repeating: 0)
                var target = chunk.baseAddress!
                for row in rows {
                    copyRow(source.baseAddress! + row * raster.stride, to: target)
                    target += image.stride
                }
                count = rows.count * image.stride
            }
        }
    }

    /// All rows in a memory file of fixed size, as its descriptor.
    func file() throws(WireError) -> OwnedDescriptor {
        let raw = cposix_memory_file("page")
        guard raw >= 0 else {
            throw WireError(
                .inputOutput, "memory for a page could not be created: \(systemMessage())")
        }
        let file = OwnedDescriptor(raw)
        var row = 0
        while let chunk = chunk(from: &row) {
            guard chunk.withUnsafeBytes({ writeAll($0, to: raw) }) == 0 else {
                throw WireError(
                    .inputOutput, "a page could not be copied for the reader: \(systemMessage())")
            }
        }
        _ = cposix_seal_size(raw)
        return file
    }

    /// Copies one row; `target` has the image's stride.
    func copy(_ row: Int, to target: inout [UInt8]) {
        raster.withBytes { source in
            target.withUnsafeMutableBufferPointer {
                copyRow(source.baseAddress! + row * raster.stride, to: $0.baseAddress!)
            }
        }
    }

    private func copyRow(_ source: UnsafeRawPointer, to target: UnsafeMutablePointer<UInt8>) {
        let bytes = source.assumingMemoryBound(to: UInt8.self)
        switch raster.format {
        case .bilevel, .gray8:
            target.update(from: bytes, count: raster.format.minimumStride(width: image.width))
        case .gray16:
            for x in 0..<image.width { target[x] = highByte(source, x) }
        case .rgb8:
            for x in 0..<image.width {
                target[x] = luma(bytes[3 * x], bytes[3 * x + 1], bytes[3 * x + 2])
            }
        case .rgb16:
            for x in 0..<image.width {
                target[x] = luma(
                    highByte(source, 3 * x), highByte(source, 3 * x + 1),
                    highByte(source, 3 * x + 2))
            }
        }
    }
}

private func highByte(_ samples: UnsafeRawPointer, _ index: Int) -> UInt8 {
    UInt8(samples.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self) >> 8)
}

/// The luma of ITU-R BT.601, with weights in 256ths: 0.299, 0.587, 0.114.
private func luma(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> UInt8 {
    UInt8((77 &* UInt32(red) &+ 150 &* UInt32(green) &+ 29 &* UInt32(blue) &+ 128) >> 8)
}
