import CPictureWriter
import CaptureHost
import CaptureKit
import Delivery
import Documents
import ESCL
import Glibc
import HTTPServer
import Imaging
import ScanService
import Synchronization

/// A file that waits to be fetched: a page, or a PDF of all of them.
///
/// It has no name, and is gone with the value.
struct ScannedDocument: Sendable {
    let file: HTTPFile
    let format: DocumentFormat
    /// Pages in it.
    let pages: Int
    /// Of the last page, in pixels.
    let width: Int
    let height: Int
    let bytesPerLine: Int

    /// Writes a page as a picture, row by row, so that memory holds little of it.
    ///
    /// Blocks: call it on a thread of its own.
    ///
    /// - Parameters:
    ///   - needsColors: true to write three channels into a PNG also for gray, without loss.
    ///   - resolution: dots per inch of a page that does not tell.
    ///   - folder: where the file is made.
    /// - Throws: ``HostError``.
    init(
        _ page: CapturedPage, as format: DocumentFormat, needsColors: Bool = false,
        resolution: Int, in folder: String
    ) throws {
        let frame = page.description
        let height = frame.height ?? 0
        guard let samples = Self.samples(frame.format), height > 0 else {
            throw HostError(
                .spoolFailed, "page \(page.number) is \(frame.format), which no page can be")
        }
        let descriptor = try Self.nameless(in: folder)
        let written = Result {
            try Self.write(
                page, samples, height: height, to: descriptor,
                as: format == .jpeg
                    ? picture_jpeg : needsColors ? picture_png_rgb : picture_png,
                resolution: (
                    frame.resolution?.x ?? Double(resolution),
                    frame.resolution?.y ?? Double(resolution)
                ))
        }
        if case .failure(let error) = written {
            close(descriptor)
            throw error
        }
        file = try Self.whole(descriptor)
        self.format = format
        pages = 1
        (width, self.height) = (frame.width, height)
        bytesPerLine = frame.format.minimumStride(width: frame.width)
    }

    /// Takes over a finished file of several pages, which loses its name.
    ///
    /// - Throws: ``HostError``.
    init(taking path: String, as format: DocumentFormat, pages: Int, last: FrameDescription) throws
    {
        guard let (descriptor, _) = HTTPFile.open(path) else {
            throw Self.failure("'\(path)' can't be opened")
        }
        unlink(path)
        file = try Self.whole(descriptor)
        self.format = format
        self.pages = pages
        (width, height) = (last.width, last.height ?? 0)
        bytesPerLine = last.format.minimumStride(width: last.width)
    }

    private static func samples(_ format: FrameFormat) -> picture_format? {
        switch format {
        case .bilevel: picture_bilevel
        case .gray8: picture_gray8
        case .gray16: picture_gray16
        case .rgb8: picture_rgb8
        case .rgb16: picture_rgb16
        case .yuyv, .uyvy, .nv12, .jpeg: nil
        }
    }

    /// A new file without a name (`O_TMPFILE` is not had by every file system, so it is made and
    /// unlinked).
    private static func nameless(in folder: String) throws -> CInt {
        let path = "\(folder)/document-\(UInt64.random(in: 0 ... .max))"
        let descriptor = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw failure("'\(path)' can't be made") }
        unlink(path)
        return descriptor
    }

    private static func whole(_ descriptor: CInt) throws -> HTTPFile {
        var about = stat()
        guard fstat(descriptor, &about) == 0 else {
            close(descriptor)
            throw failure("the picture can't be examined")
        }
        return HTTPFile(descriptor: descriptor, offset: 0, count: Int(about.st_size))
    }

    private static func failure(_ what: String) -> HostError {
        let number = errno
        return HostError(
            number == ENOSPC ? .noSpace : .spoolFailed,
            "\(what): \(String(cString: strerror(number)))")
    }

    /// Bytes of rows that are read at once.
    private static let portion = 1 << 20
    /// Of a JPEG: what few people can tell from the original.
    private static let quality: CInt = 90

    private static func write(
        _ page: CapturedPage, _ samples: picture_format, height: Int, to descriptor: CInt,
        as kind: picture_kind, resolution: (x: Double, y: Double)
    ) throws {
        let frame = page.description
        let source = open(page.pixels, O_RDONLY | O_CLOEXEC)
        guard source >= 0 else { throw failure("'\(page.pixels)' can't be opened") }
        defer { close(source) }
        try withUnsafeTemporaryAllocation(of: CChar.self, capacity: 300) { message in
            func refused() -> HostError {
                HostError(
                    .spoolFailed,
                    "page \(page.number) can't be encoded: \(String(cString: message.baseAddress!))"
                )
            }
            guard
                let writer = picture_writer_open(
                    kind, descriptor, UInt32(frame.width),
                    UInt32(height), samples, resolution.x, resolution.y, quality,
                    message.baseAddress, message.count)
            else { throw refused() }
            var isOpen = true
            defer { if isOpen { picture_writer_abandon(writer) } }
            let rowsAtOnce = min(height, max(1, portion / frame.stride))
            let buffer = UnsafeMutableRawBufferPointer.allocate(
                byteCount: rowsAtOnce * frame.stride, alignment: 16)
            defer { buffer.deallocate() }
            var row = 0
            while row < height {
                let count = min(rowsAtOnce, height - row)
                // The last row may lack its padding.
                let needed =
                    (count - 1) * frame.stride + frame.format.minimumStride(width: frame.width)
                try fill(
                    UnsafeMutableRawBufferPointer(rebasing: buffer[..<needed]), from: source,
                    at: page.room + row * frame.stride)
                guard
                    picture_writer_rows(
                        writer, buffer.baseAddress?.assumingMemoryBound(to: UInt8.self),
                        frame.stride, UInt32(count)) == 0
                else { throw refused() }
                row += count
            }
            isOpen = false
            guard picture_writer_finish(writer) == 0 else { throw refused() }
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

/// Gathers pages for one PDF.
final class DocumentBinder: Sendable {
    private struct State {
        var pages = 0
        var last: FrameDescription?
    }

    private let path: String
    private let writer: any SinkWriter
    private let resolution: Int
    private let state = Mutex(State())

    /// Begins a PDF in a folder of the job's own.
    ///
    /// - Throws: `DeliveryError`.
    init(in folder: String, at time: Double, resolution: Int) throws {
        path = folder + "/pages.pdf"
        self.resolution = resolution
        writer = try FileSink(path: path, options: FileSinkOptions(spoolFolder: folder))
            .begin(DocumentInfo(title: "Scan", created: time))
    }

    /// Adds a page, and blocks meanwhile.
    func add(_ page: CapturedPage, of device: String) throws {
        let image = try page.raster().image
        let pages = state.withLock { state in
            state.pages += 1
            state.last = page.description
            return state.pages
        }
        try writer.add(
            DeliveredPage(
                page: Page(
                    number: pages, width: image.width, height: image.height,
                    resolution: image.resolution ?? Double(resolution),
                    provenance: Provenance(device: device)), image: image))
    }

    /// The finished PDF; nil when there was no page; blocks meanwhile.
    func finish() throws -> ScannedDocument? {
        let (pages, last) = state.withLock { ($0.pages, $0.last) }
        guard let last else {
            writer.cancel()
            return nil
        }
        _ = try writer.finish()
        return try ScannedDocument(taking: path, as: .pdf, pages: pages, last: last)
    }

    /// Leaves nothing behind.
    func cancel() { writer.cancel() }
}
