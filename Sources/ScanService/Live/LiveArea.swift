import Detection
import Imaging
import Processing

/// Where in a frame the page is: searched for, or always the same part.
enum LiveArea: Sendable {
    /// Whatever the detector finds.
    case search(any PageDetector)
    /// A fixed part of the frame.
    case fixed(Profile.Region)

    /// The area of what a profile looks for.
    ///
    /// - Parameter search: what searches for pages and cards.
    init(_ target: Profile.Target, search: (Profile.Target) -> any PageDetector) {
        switch target {
        case .page, .card: self = .search(search(target))
        case .region(let region): self = .fixed(region)
        case .nothing: self = .fixed(Profile.Region(left: 0, top: 0, width: 1, height: 1))
        }
    }

    /// True for a fixed part, in which the stand is seen when no page lies there.
    var isFixed: Bool {
        if case .fixed = self { true } else { false }
    }
}

extension Profile.Region {
    /// The region in a picture of `width` × `height` pixels.
    func quad(width: Int, height: Int) -> Quad {
        let (x, y) = (left * Double(width), top * Double(height))
        let (right, bottom) = (x + self.width * Double(width), y + self.height * Double(height))
        return Quad(
            topLeft: Point(x: x, y: y), topRight: Point(x: right, y: y),
            bottomRight: Point(x: right, y: bottom), bottomLeft: Point(x: x, y: bottom))
    }
}
