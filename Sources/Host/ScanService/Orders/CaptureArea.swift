import CaptureHost
import Imaging

/// The part of every captured picture that is kept, before any other processing.
public enum CaptureArea: Codable, Hashable, Sendable {
    /// A rectangle in pixels of the picture.
    case pixels(x: Int, y: Int, width: Int, height: Int)
    /// A rectangle in fractions of the picture's width and height, 0…1.
    case parts(x: Double, y: Double, width: Double, height: Double)
    /// The largest rectangle around the picture's middle with this ratio of width to height, above
    /// 0.
    case aspect(Double)

    /// The area's whole pixels in a picture of `width` × `height` pixels; nil for none.
    func rectangle(inPictureOf width: Int, by height: Int) -> PixelRect? {
        let wanted: PixelRect
        switch self {
        case .pixels(let x, let y, let w, let h):
            wanted = PixelRect(x: x, y: y, width: w, height: h)
        case .parts(let x, let y, let w, let h):
            func place(_ part: Double, _ side: Int) -> Int {
                Int((min(max(part, 0), 1) * Double(side)).rounded())
            }
            let (left, top) = (place(x, width), place(y, height))
            wanted = PixelRect(
                x: left, y: top, width: place(x + w, width) - left,
                height: place(y + h, height) - top)
        case .aspect(let aspect):
            guard aspect > 0, aspect.isFinite else { return nil }
            let wide = min(Double(width), Double(height) * aspect)
            let high = min(Double(height), Double(width) / aspect)
            let (w, h) = (max(1, Int(wide.rounded())), max(1, Int(high.rounded())))
            wanted = PixelRect(x: (width - w) / 2, y: (height - h) / 2, width: w, height: h)
        }
        return wanted.intersection(PixelRect(x: 0, y: 0, width: width, height: height))
    }

    /// The area for one page: the region that was drawn for its capture, or else this area.
    func drawn(on corners: PageCorners?) -> CaptureArea {
        guard let points = corners?.points, points.count == 4 else { return self }
        let (across, down) = (points.map { $0[0] }, points.map { $0[1] })
        let (left, top) = (Int(across.min()!.rounded()), Int(down.min()!.rounded()))
        return .pixels(
            x: left, y: top, width: Int(across.max()!.rounded()) - left,
            height: Int(down.max()!.rounded()) - top)
    }

    /// The area of a picture.
    ///
    /// - Returns: nil when the picture has no pixel of the area.
    func cut(from image: Raster) -> Raster? {
        rectangle(inPictureOf: image.width, by: image.height).map {
            $0 == image.bounds ? image : image.cropped(to: $0)
        }
    }
}
