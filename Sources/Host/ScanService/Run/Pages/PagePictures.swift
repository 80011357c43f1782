import BlockingWork
import CaptureHost
import Detection
import ExpectedFailures
import Imaging
import LiveCapture

/// Makes small pictures of a job's pages, one after another on a separate queue, so that no page
/// waits for its picture.
struct PagePictures: Sendable {
    /// The long side of a picture in pixels.
    static let longSide = 360
    /// The quality of a picture, as `Raster.encodedJPEG` has it.
    private static let quality = 75

    private let area: CaptureArea?
    private let show: @Sendable (PageThumbnail) -> Void
    private let queue = OwnQueue(label: "copystand.page-pictures")

    /// Pictures for `show`; `area` is the part of each page that is kept.
    init(of area: CaptureArea?, for show: @escaping @Sendable (PageThumbnail) -> Void) {
        self.area = area
        self.show = show
    }

    /// Makes a page's picture soon; an unreadable page gets none, and will report that itself.
    func make(_ page: CapturedPage) {
        queue.begin { [area, show] in
            let picture = reportedLater {
                try Self.shown(page.raster().0, page, area).thumbnail(longSide: Self.longSide)
                    .encodedJPEG(quality: Self.quality)
            }
            guard let bytes = picture else { return }
            show(PageThumbnail(number: page.number, bytes: bytes))
        }
    }

    /// Makes the picture of a processed page: the queue keeps only the small one.
    func make(_ image: Raster, of number: Int) {
        let small = image.thumbnail(longSide: Self.longSide)
        queue.begin { [show] in
            let picture = reportedLater { try small.encodedJPEG(quality: Self.quality) }
            guard let bytes = picture else { return }
            show(PageThumbnail(number: number, bytes: bytes))
        }
    }

    /// Returns once every picture that was begun is made.
    func finish() async { await queue.run {} }

    /// The visible part: the one that is kept, the page if its corners are known, or else the whole
    /// picture.
    private static func shown(_ image: Raster, _ page: CapturedPage, _ area: CaptureArea?)
        -> Raster
    {
        if let cut = area?.drawn(on: page.corners).cut(from: image) { return cut }
        guard let quad = page.corners.flatMap(Quad.init),
            let aspect = quad.trueAspectRatio(inPictureOf: image.width, by: image.height)
        else { return image }
        let long = Double(longSide)
        let (width, height) = aspect > 1 ? (long, long / aspect) : (long * aspect, long)
        let flat = ifSupported {
            try image.warped(
                from: quad, width: max(1, Int(width.rounded())),
                height: max(1, Int(height.rounded())))
        }
        return flat ?? image
    }
}
