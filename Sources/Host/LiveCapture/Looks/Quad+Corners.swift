package import CaptureHost
package import Imaging

extension Quad {
    /// The quad for corners from the spool; nil when they form no convex quadrilateral.
    package init?(_ corners: PageCorners) {
        let p = corners.points.map { Point(x: $0[0], y: $0[1]) }
        self.init(topLeft: p[0], topRight: p[1], bottomRight: p[2], bottomLeft: p[3])
        guard isConvex else { return nil }
    }

    /// The corners as numbers: x and y of the top left, top right, bottom right and bottom left.
    package var points: [[Double]] { corners.map { [$0.x, $0.y] } }
}
