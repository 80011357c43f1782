internal import CLeptonica
import CaptureKit
import FileNames
import FoundationEssentials
import Glibc

/// One picture of a folder: a file, or one page of a TIFF.
struct PictureReference: Hashable, Sendable {
    /// The file's path.
    var path: String
    /// The page within a TIFF of several, from 0; nil when the file is one picture.
    var page: Int?
    /// The file's name, with the page's number where it has several.
    var label: String
}

/// A folder whose pictures the devices serve.
enum PictureFolder {
    /// The endings that count as pictures.
    static let endings: Set = [
        "jpg", "jpeg", "png", "pbm", "pgm", "ppm", "pnm", "tif", "tiff", "webp", "bmp",
    ]
    /// The maximum number of pages that a TIFF may have.
    static let mostPages = 10_000

    /// The folder's pictures in natural order, hidden files left out.
    ///
    /// Blocks: call it through ``onOwnThread(_:)``.
    ///
    /// - Throws: ``CaptureError`` `invalidValue` when there is no such folder, it can't be read, or
    ///   holds no picture.
    static func pictures(in folder: String) throws -> [PictureReference] {
        guard let names = FileNames.names(in: folder) else {
            throw CaptureError(
                .invalidValue, "'\(folder)' is not a readable folder",
                advice: "Name a folder that holds pictures.")
        }
        let pictures = names.filter(isPicture).sorted {
            comesBeforeNaturally(Array($0.utf8), Array($1.utf8))
        }
        guard !pictures.isEmpty else {
            throw CaptureError(
                .invalidValue, "The folder '\(folder)' holds no pictures",
                advice: "Put JPEG, PNG, PNM, TIFF, WebP or BMP files there.")
        }
        return pictures.flatMap { references(to: $0, in: folder) }
    }

    private static func isPicture(_ name: String) -> Bool {
        guard !name.hasPrefix("."), let dot = name.lastIndex(of: ".") else { return false }
        return endings.contains(name[name.index(after: dot)...].lowercased())
    }

    private static func references(to name: String, in folder: String) -> [PictureReference] {
        let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
        let pages = tiffPages(path)
        guard pages > 1 else {
            return [PictureReference(path: path, page: nil, label: FileNames.shown(name))]
        }
        return (0..<min(pages, mostPages)).map {
            PictureReference(
                path: path, page: $0, label: "\(FileNames.shown(name)), page \($0 + 1)")
        }
    }

    /// Pages of a TIFF (`tiffGetCount`); 1 for anything else.
    private static func tiffPages(_ path: String) -> Int {
        PictureFile.silenceLeptonica
        var format: l_int32 = 0
        guard findFileFormat(path, &format) == 0, PictureFile.isTIFF(format),
            let file = fopen(path, "rb")
        else { return 1 }
        defer { fclose(file) }
        var count: l_int32 = 0
        return tiffGetCount(file, &count) == 0 ? Int(count) : 1
    }
}
