import Imaging

/// Decides whether several objects lie on one sheet, or on the table with an imaginary frame around
/// them.
struct SheetGround {
    let frame: FrameView

    /// The number of places per side that are examined within a frame.
    private static let places = 24
    /// The distances of the examined places from the sheet's edge, from the frame's sides and from
    /// the objects, as parts of its size.
    private static let (inner, outer, apart) = (0.92, 1.08, 0.01)
    /// With fewer places, there is no result.
    private static let fewest = 12
    /// The minimum difference in a color, 0…255, between a sheet and its ground.
    private static let least: Float = 24

    /// True if the ground between the objects differs in color from the ground around the frame.
    ///
    /// - Parameters:
    ///   - sheet: the frame around the objects.
    ///   - things: the objects.
    func isSheet(_ sheet: Quad, under things: [Quad]) -> Bool {
        let center = sheet.center
        func scaled(_ point: Point, _ scale: Double) -> Point {
            Point(
                x: center.x + (point.x - center.x) * scale,
                y: center.y + (point.y - center.y) * scale)
        }
        let margin = Self.apart * sheet.area.squareRoot()
        let corners = sheet.corners
        let steps = (0..<Self.places).map { (Double($0) + 0.5) / Double(Self.places) }
        let within = steps.flatMap { down in
            steps.map { across in
                let top = corners[0].mixed(with: corners[1], across)
                let bottom = corners[3].mixed(with: corners[2], across)
                return scaled(top.mixed(with: bottom, down), Self.inner)
            }
        }.filter { place in things.allSatisfy { $0.depth(of: place) < -margin } }
        let around = (0..<4).flatMap { side in
            steps.map {
                scaled(corners[side].mixed(with: corners[(side + 1) % 4], $0), Self.outer)
            }
        }
        guard let paper = color(at: within), let table = color(at: around) else { return false }
        let difference = paper - table
        return max(difference.max(), -difference.min()) >= Self.least
    }

    /// The median color of places in the frame; nil for too few places.
    private func color(at places: [Point]) -> SIMD3<Float>? {
        let colors = places.filter {
            $0.x >= 0 && $0.y >= 0 && $0.x < Double(frame.width) && $0.y < Double(frame.height)
        }.map { frame.color($0.x, $0.y) }
        guard colors.count >= Self.fewest else { return nil }
        func median(_ channel: Int) -> Float {
            colors.map { $0[channel] }.sorted()[colors.count / 2]
        }
        return SIMD3(median(0), median(1), median(2))
    }
}

extension Point {
    fileprivate func mixed(with other: Point, _ part: Double) -> Point {
        Point(x: x + (other.x - x) * part, y: y + (other.y - y) * part)
    }
}
