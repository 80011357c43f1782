import CaptureHost
import CaptureKit
import Detection
import GuardedFiles
import Imaging

/// Turns frames into pages: decoded at full size, with refined corners, on the disk.
package struct StillStore: Sendable {
    /// The name of the folder in a job's folder in which a camera's still is captured.
    package static let folderName = "still"

    /// The folder for the pages.
    let spool: SpoolFolder

    /// Stores the page in a frame.
    ///
    /// The call blocks.
    ///
    /// - Parameters:
    ///   - number: the page's number.
    ///   - isExact: true for corners that a user drew, which are not refined.
    /// - Throws: ``ImagingError`` when the frame is damaged, ``HostError`` when it can't be stored.
    func store(_ held: HeldFrame, number: Int, isExact: Bool) throws -> (
        page: CapturedPage, quad: Quad?
    ) {
        let (image, original) = try held.frame.withFrame { frame in
            (
                try frame.raster(),
                frame.format == .jpeg
                    ? EncodedOriginal(mediaType: "image/jpeg", bytes: Array(frame.bytes)) : nil
            )
        }
        return try store(
            image, original, place: held.quad, isExact: isExact,
            label: held.frame.description.label,
            number: number)
    }

    /// Stores a still that was captured into another folder.
    ///
    /// The call blocks.
    ///
    /// - Throws: the errors of ``store(_:number:)``; ``StillMatch/Refusal`` when it can't be the
    ///   page of `match`.
    func store(
        _ still: CapturedPage, _ match: StillMatch, number: Int
    ) throws -> (page: CapturedPage, quad: Quad?) {
        let (image, quad) = try still.withFrame { (try $0.raster(), try match.quad(in: $0)) }
        let original = try still.original.map {
            EncodedOriginal(
                mediaType: $0.mediaType, bytes: try GuardedFolder.readFile(at: $0.path))
        }
        return try store(
            image, original, place: quad, isExact: match.area.isDrawn,
            label: still.description.label,
            number: number)
    }

    private func store(
        _ image: Raster, _ original: EncodedOriginal?, place: Quad?, isExact: Bool,
        label: String?, number: Int
    ) throws -> (page: CapturedPage, quad: Quad?) {
        let quad = isExact ? place : place.map { $0.refined(in: image) }
        let description = FrameDescription(
            format: image.format == .gray8 ? .gray8 : .rgb8, width: image.width,
            height: image.height, stride: image.stride, label: label,
            facts: PageFacts(origin: .photo))
        let page = try image.withBytes { bytes in
            try spool.store(
                number, description, rows: bytes, original: original,
                corners: quad.flatMap { PageCorners($0.points) })
        }
        return (page, quad)
    }
}
