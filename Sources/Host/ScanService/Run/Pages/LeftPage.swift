import Archive
import CaptureHost
import CaptureKit
import ExpectedFailures
import FileNames
import FoundationEssentials
import GuardedFiles
import Imaging

/// A captured page on its way from a station to a worker: the known facts about it, and its pixels
/// as a lossless file.
///
/// Only the device's JPEG is sent where decoding it gives the captured pixels.
enum LeftPage {
    /// The description of the page, besides its files.
    struct Note: Codable, Sendable {
        /// Its number in the job's spool.
        var number: Int
        /// The device that captured it.
        var device: String
        /// Its label in the document.
        var label: String?
        /// The captured frame.
        var description: FrameDescription
        /// Its corners in the picture; nil if unknown.
        var corners: PageCorners?
        /// Its own text; nil for none.
        var text: FrameText?
        /// The media type of the device's file; nil for none.
        var originalMedia: String?
    }

    private static let jpeg = "image/jpeg"
    private static let png = "image/png"
    /// Rows of pixels, as the frame's description has them.
    private static let rows = "application/octet-stream"

    /// A captured page as a note and files.
    ///
    /// - Throws: ``HostError`` when its files can't be read; ``ImagingError``.
    static func pack(
        _ page: CapturedPage, device: String, label: String?
    ) throws -> (note: String, picture: LeftJob.File, original: LeftJob.File?) {
        let note = Note(
            number: page.number, device: device, label: label, description: page.description,
            corners: page.corners, text: try page.ownText(),
            originalMedia: page.original?.mediaType)
        let words = String(decoding: try JSONEncoder().encode(note), as: UTF8.self)
        let (image, _) = try page.raster(keepingPixels: true)
        let original = page.original.flatMap { file in
            readFile(file.path).map { LeftJob.File(bytes: $0, media: file.mediaType) }
        }
        if let original, original.media == jpeg,
            let decoded = ifSupported({ try Raster.decodedJPEG(from: original.bytes) }),
            decoded.hasPixels(of: image)
        {
            return (words, original, nil)
        }
        return (words, try encoded(image), original)
    }

    /// Leaves a captured page to workers.
    ///
    /// - Returns: the bytes of its files.
    /// - Throws: the errors of ``pack(_:device:label:)``; ``ArchiveError``.
    static func leave(
        _ page: CapturedPage, device: String, label: String?, in leaving: Leaving
    ) throws -> Int {
        let (note, picture, original) = try pack(page, device: device, label: label)
        try leaving.add(note: note, picture: picture, original: original)
        return picture.bytes.count + (original?.bytes.count ?? 0)
    }

    /// PNGs have at most 16 bits in gray and 8 in color here, so deeper color stays as it is.
    private static func encoded(_ image: Raster) throws -> LeftJob.File {
        guard image.format == .rgb16 else {
            return LeftJob.File(bytes: try image.encodedPNG(compression: 1), media: png)
        }
        return LeftJob.File(bytes: image.withBytes { Array($0) }, media: rows)
    }

    /// Makes a captured page from a left one, with its files in a folder; they are deleted once the
    /// page is released.
    ///
    /// - Throws: ``JobError`` for files that are not those of the page.
    static func unpack(
        _ page: LeftJob.Page, _ read: (ImageHash) throws -> [UInt8], in folder: String,
        onRelease: @escaping @Sendable () -> Void
    ) throws -> FedPage {
        let note: Note
        do { note = try JSONDecoder().decode(Note.self, from: Data(page.note.utf8)) } catch {
            throw JobError(
                .orderDamaged,
                "The note of a page of the left job can't be read: \(jsonFault(error)).")
        }
        if let fault = note.description.impossibility { throw damaged(note, fault) }
        let picture = try read(page.picture)
        var description = note.description
        let path = "\(folder)/left-\(note.number)"
        if page.media == rows {
            guard let height = description.height,
                picture.count >= description.leastBytes(rows: height)
            else { throw damaged(note, "some of its rows are missing") }
            try write(picture, to: path + ".raw")
        } else {
            let image = try Raster.decoded(from: picture)
            guard image.width == description.width, image.height == description.height,
                PixelFormat(description.format) == image.format
            else { throw damaged(note, "its picture is not the captured one") }
            description.stride = image.stride
            try write(image.withBytes { Array($0) }, to: path + ".raw")
        }
        var original: CapturedPage.StoredOriginal?
        if let media = note.originalMedia {
            try write(try page.original.map(read) ?? picture, to: path + ".original")
            original = .init(path: path + ".original", mediaType: media)
        }
        if let text = note.text {
            try write(Array(try JSONEncoder().encode(text)), to: path + ".text")
        }
        let captured = CapturedPage(
            number: note.number, description: description, pixels: path + ".raw",
            original: original, text: note.text == nil ? nil : path + ".text",
            corners: note.corners
        ) {
            for ending in [".raw", ".original", ".text"] {
                GuardedFolder.removeFile(at: path + ending)
            }
            onRelease()
        }
        return FedPage(captured: captured, device: note.device, label: note.label)
    }

    private static func damaged(_ note: Note, _ what: String) -> JobError {
        JobError(.orderDamaged, "Page \(note.number) of the left job can't be used: \(what).")
    }

    private static func write(_ bytes: [UInt8], to path: String) throws(JobError) {
        do throws(GuardedFileError) {
            let (folder, name) = try GuardedFolder.above(path)
            try folder.replace(name, with: bytes)
        } catch { throw .spool(path, error) }
    }
}

extension Raster {
    /// True if the pixels are the same, whatever the padding of the rows.
    func hasPixels(of other: Raster) -> Bool {
        guard width == other.width, height == other.height, format == other.format else {
            return false
        }
        // Only whole bytes are compared: no JPEG has pixels of one bit.
        let count = width * format.bitsPerPixel / 8
        return withBytes { own in
            other.withBytes { others in
                (0..<height).allSatisfy { row in
                    own[(row * stride)..<(row * stride + count)].elementsEqual(
                        others[(row * other.stride)..<(row * other.stride + count)])
                }
            }
        }
    }
}
