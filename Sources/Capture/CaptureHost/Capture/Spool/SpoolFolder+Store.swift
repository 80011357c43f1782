public import CaptureKit

extension SpoolFolder {
    /// Stores a page from a live frame as durably as a captured page: when this returns, it is on
    /// the disk, if the folder is kept.
    ///
    /// Blocks: call it on a thread of its own.
    ///
    /// - Parameters:
    ///   - number: the page's number, which no page in the folder has.
    ///   - description: the format and height of the rows, with the limits of a page.
    ///   - rows: the pixels, one row each stride of the description.
    ///   - original: the picture as the camera encoded it; nil for none.
    ///   - corners: the page's corners in the picture; nil if unknown.
    /// - Throws: ``HostError`` `noSpace` or `spoolFailed`; the page is then removed.
    public func store(
        _ number: Int, _ description: FrameDescription, rows: UnsafeRawBufferPointer,
        original: EncodedOriginal? = nil, corners: PageCorners? = nil
    ) throws -> CapturedPage {
        let size = description.byteCount(rows: description.height ?? 0)
        guard !description.format.isLiveOnly, size > 0,
            rows.count >= description.leastBytes(rows: description.height ?? 0)
        else {
            throw HostError(
                .spoolFailed, "page \(number) has \(rows.count) bytes, not the \(size) of its rows")
        }
        var stored: CapturedPage.StoredOriginal?
        if let original {
            let path = pagePath(number, "jpg")
            try original.bytes.withUnsafeBytes { try write($0, to: path) }
            stored = .init(path: path, mediaType: original.mediaType)
        }
        // The pixels' file gets its name last: once it has the name, the note and the original
        // exist.
        if isKept {
            try writeNote(
                number, Note(description: description, original: stored, corners: corners))
        }
        let pixels = pagePath(number, "raw")
        try write(UnsafeRawBufferPointer(rebasing: rows.prefix(size)), to: pixels)
        try sync()
        return CapturedPage(
            number: number, description: description, pixels: pixels, original: stored,
            corners: corners)
    }

    private func write(_ bytes: UnsafeRawBufferPointer, to path: String) throws {
        let file = try SpoolFile(path: path, size: bytes.count)
        do {
            try file.write(bytes, at: 0)
            try file.complete(size: bytes.count, isKept: isKept)
        } catch {
            file.discard()
            throw error
        }
    }
}
