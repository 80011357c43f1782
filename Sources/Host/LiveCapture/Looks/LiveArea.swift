package import Detection
import Imaging
package import Processing

/// The area of a frame with the page: searched for, always the same, or drawn by a user.
package enum LiveArea: Sendable {
    /// The detector finds the page.
    case search(any PageDetector)
    /// A fixed part of the frame.
    case fixed(Profile.Region)
    /// A region of the frame that a user drew and may change at any time: every page keeps its own
    /// region.
    case drawn(Profile.Region)

    /// The area for a profile's target.
    ///
    /// - Parameter search: returns a detector for pages or cards.
    package init(_ target: Profile.Target, search: (Profile.Target) -> any PageDetector) {
        switch target {
        case .page, .card: self = .search(search(target))
        case .region(let region): self = .fixed(region)
        case .nothing: self = .fixed(Profile.Region(left: 0, top: 0, width: 1, height: 1))
        }
    }

    /// True for a fixed part of the frame, which shows the empty stand when there is no page.
    var isFixed: Bool {
        if case .search = self { false } else { true }
    }

    /// True for a region that a user drew.
    var isDrawn: Bool {
        if case .drawn = self { true } else { false }
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
