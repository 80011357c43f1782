import CaptureHost
import CaptureKit
import Detection
import Imaging

/// Makes pages of frames: decoded in full, corners refined, on the disk.
struct StillStore: Sendable {
    /// Where the pages go.
    let spool: SpoolFolder

    /// Stores the page that a frame shows.
    ///
    /// Blocks.
    ///
    /// - Parameter number: the page's number.
    /// - Throws: ``ImagingError`` when the frame is damaged, ``HostError`` when it can't be stored.
    func store(_ held: HeldFrame, number: Int) throws -> (page: CapturedPage, quad: Quad?) {
        let (image, original) = try held.frame.withFrame { frame in
            (
                try frame.raster(),
                frame.format == .jpeg
                    ? EncodedOriginal(mediaType: "image/jpeg", bytes: Array(frame.bytes)) : nil
            )
        }
        let quad = held.quad.map { $0.refined(in: image) }
        let description = FrameDescription(
            format: image.format == .gray8 ? .gray8 : .rgb8, width: image.width,
            height: image.height, stride: image.stride, label: held.frame.description.label)
        let page = try image.withBytes { bytes in
            try spool.store(
                number, description, rows: bytes, original: original,
                corners: quad.flatMap { PageCorners($0.points) })
        }
        return (page, quad)
    }
}
