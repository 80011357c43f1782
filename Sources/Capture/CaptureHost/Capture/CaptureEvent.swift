public import CaptureKit

/// An event during a capture, in order.
public enum CaptureEvent: Sendable {
    /// A page begins; its height in the description may be unknown.
    case began(page: Int, FrameDescription)
    /// The rows of a page that have arrived so far; not every row is reported.
    case progress(page: Int, rows: Int)
    /// A page is complete, checked and on the disk.
    case page(CapturedPage)
    /// A page could not be captured; the capture continues.
    case skipped(page: Int, label: String?, CaptureError)
}
