import CPictureWriter
import CaptureHost
import CaptureKit
import Delivery
import ESCL
import Glibc
import HTTPServer
import Imaging
import ScanService
import UserFiles

/// A file that waits to be fetched: a page, or a PDF of all of them.
///
/// The document's file has no name, and disappears with the value.
struct ScannedDocument: Sendable {
    let file: HTTPFile
    let format: DocumentFormat
    /// The number of pages.
    let pages: Int
    /// The width of the last page, in pixels.
    let width: Int
    let height: Int
    let bytesPerLine: Int

    /// Writes a page as a picture, row by row, so that little of it is in memory.
    ///
    /// The call blocks, so use a separate thread.
    ///
    /// - Parameters:
    ///   - needsColors: true to write three channels into a PNG also for gray, without loss.
    ///   - resolution: dots per inch of a page that does not state its own.
    ///   - folder: the folder in which the file is made.
    /// - Throws: ``HostError``.
    init(
        _ page: CapturedPage, as format: DocumentFormat, needsColors: Bool = false,
        resolution: Int, in folder: String
    ) throws {
        let frame = page.description
        let height = frame.height ?? 0
        guard let samples = PixelFormat(frame.format)?.written, height > 0 else {
            throw HostError(
                .spoolFailed,
                "page \(page.number) has the format \(frame.format), which no page can have")
        }
        let picture = RowWriter(
            width: frame.width, height: height, stride: frame.stride, samples: samples,
            resolution: (
                frame.resolution?.x ?? Double(resolution),
                frame.resolution?.y ?? Double(resolution)
            ))
        file = try Self.file(in: folder) { descriptor in
            try picture.write(to: descriptor, as: Self.kind(format, needsColors)) { write in
                try Self.rows(of: page, write)
            }
        }
        self.format = format
        pages = 1
        (width, self.height) = (frame.width, height)
        bytesPerLine = frame.format.minimumStride(width: frame.width)
    }

    /// Writes a picture in memory.
    ///
    /// The call blocks, so use a separate thread.
    ///
    /// - Parameters: as ``init(_:as:needsColors:resolution:in:)``.
    /// - Throws: ``HostError``.
    init(
        _ image: Raster, as format: DocumentFormat, needsColors: Bool = false, resolution: Int,
        in folder: String
    ) throws {
        let dots = image.resolution ?? Double(resolution)
        let picture = RowWriter(
            width: image.width, height: image.height, stride: image.stride,
            samples: image.format.written, resolution: (dots, dots))
        file = try Self.file(in: folder) { descriptor in
            try picture.write(to: descriptor, as: Self.kind(format, needsColors)) { write in
                try image.withBytes { try write($0, image.height) }
            }
        }
        self.format = format
        pages = 1
        (width, height) = (image.width, image.height)
        bytesPerLine = image.format.minimumStride(width: image.width)
    }

    /// Takes ownership of a finished file with several pages, and removes its name.
    ///
    /// - Parameter lastSize: the size of the last page in pixels, and the bytes of its rows.
    /// - Throws: ``HostError``.
    init(
        taking path: String, as format: DocumentFormat, pages: Int,
        lastSize: (width: Int, height: Int, bytesPerLine: Int)
    ) throws {
        guard let (descriptor, _) = HTTPFile.open(path) else {
            throw Self.failure("'\(path)' can't be opened", at: path)
        }
        unlink(path)
        file = try Self.whole(descriptor)
        self.format = format
        self.pages = pages
        (width, height, bytesPerLine) = lastSize
    }

    private static func kind(_ format: DocumentFormat, _ needsColors: Bool) -> picture_kind {
        format == .jpeg ? picture_jpeg : needsColors ? picture_png_rgb : picture_png
    }

    /// A new file without a name (not every file system has `O_TMPFILE`, so the file is made and
    /// unlinked).
    private static func nameless(in folder: String) throws -> CInt {
        let path = "\(folder)/document-\(UInt64.random(in: 0 ... .max))"
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("'\(path)' can't be made", at: path) }
        unlink(path)
        return descriptor
    }

    private static func file(in folder: String, _ write: (CInt) throws -> Void) throws -> HTTPFile {
        let descriptor = try nameless(in: folder)
        do { try write(descriptor) } catch {
            close(descriptor)
            throw error
        }
        return try whole(descriptor)
    }

    private static func whole(_ descriptor: CInt) throws -> HTTPFile {
        var about = stat()
        guard fstat(descriptor, &about) == 0 else {
            close(descriptor)
            throw failure("the picture can't be examined")
        }
        return HTTPFile(descriptor: descriptor, offset: 0, count: Int(about.st_size))
    }

    private static func failure(_ what: String, at path: String = "") -> HostError {
        let number = errno
        let isFull = DiskRefusal(number, at: path)?.reason == .full
        return HostError(
            isFull ? .noSpace : .spoolFailed, "\(what): \(systemReason(number, at: path))")
    }

    /// Bytes of rows that are read in one go.
    private static let portion = 1 << 20

    /// Reads a page's rows, several at once, and passes them to `write` with their number.
    private static func rows(
        of page: CapturedPage, _ write: (UnsafeRawBufferPointer, Int) throws -> Void
    ) throws {
        let frame = page.description
        let height = frame.height ?? 0
        guard let (source, _) = HTTPFile.open(page.pixels) else {
            throw failure("'\(page.pixels)' can't be opened")
        }
        defer { close(source) }
        let rowsAtOnce = min(height, max(1, portion / frame.stride))
        let buffer = UnsafeMutableRawBufferPointer.allocate(
            byteCount: rowsAtOnce * frame.stride, alignment: 16)
        defer { buffer.deallocate() }
        for row in stride(from: 0, to: height, by: rowsAtOnce) {
            let count = min(rowsAtOnce, height - row)
            // The last row may lack its padding.
            let needed = (count - 1) * frame.stride + frame.format.minimumStride(width: frame.width)
            try fill(
                UnsafeMutableRawBufferPointer(rebasing: buffer[..<needed]), from: source,
                at: page.room + row * frame.stride)
            try write(UnsafeRawBufferPointer(buffer), count)
        }
    }

    private static func fill(
        _ buffer: UnsafeMutableRawBufferPointer, from file: CInt, at offset: Int
    ) throws {
        var done = 0
        while done < buffer.count {
            let count = pread(
                file, buffer.baseAddress?.advanced(by: done), buffer.count - done,
                off_t(offset + done))
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { throw failure("a page's rows can't be read") }
            done += count
        }
    }
}

/// A picture that is written row by row.
private struct RowWriter {
    let width: Int
    let height: Int
    let stride: Int
    let samples: picture_format
    /// Dots per inch.
    let resolution: (x: Double, y: Double)

    /// The quality of a JPEG, which few people can distinguish from the original.
    private static let quality: CInt = 90

    /// Writes the picture into a file.
    ///
    /// - Parameter rows: passes the rows in order, with their number, to the given function.
    func write(
        to descriptor: CInt, as kind: picture_kind,
        rows: (_ write: (UnsafeRawBufferPointer, Int) throws -> Void) throws -> Void
    ) throws {
        try withUnsafeTemporaryAllocation(of: CChar.self, capacity: 300) { message in
            func refused() -> HostError {
                HostError(
                    .spoolFailed,
                    "a picture of \(width) × \(height) pixels can't be encoded: \(String(cString: message.baseAddress!))"
                )
            }
            guard
                let writer = picture_writer_open(
                    kind, descriptor, UInt32(width), UInt32(height), samples, resolution.x,
                    resolution.y, Self.quality, message.baseAddress, message.count)
            else { throw refused() }
            var isOpen = true
            defer { if isOpen { picture_writer_abandon(writer) } }
            try rows { bytes, count in
                guard
                    picture_writer_rows(
                        writer, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), stride,
                        UInt32(count)) == 0
                else { throw refused() }
            }
            isOpen = false
            guard picture_writer_finish(writer) == 0 else { throw refused() }
        }
    }
}
