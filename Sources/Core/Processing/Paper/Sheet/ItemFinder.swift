import Imaging

/// Finds the objects on a scanner's glass: each is a rectangle that differs from the lid around it.
struct ItemFinder {
    /// An object on the glass.
    struct Item {
        /// The object's rectangle in the picture.
        var quad: Quad
        /// The part of the rectangle that the object fills, 0…1.
        var fill: Double
    }

    /// The longer side, in pixels, of the picture that is searched.
    private static let workSize = 900

    /// The items in reading order: rows from the top, and each row from the left.
    ///
    /// - Parameter smallest: the shorter side of the smallest item, in pixels of `image`.
    static func items(in image: Raster, smallest: Double) -> [Item] {
        let small = image.converted(to: .rgb8).thumbnail(longSide: workSize)
        guard small.width >= 32, small.height >= 32 else { return [] }
        let scale = Double(image.width) / Double(small.width)
        guard let mask = mask(of: small) else { return [] }
        let found = InkComponents(of: mask)
        let least = max(6, smallest / scale)
        var items: [Item] = []
        for component in found.components
        where Double(min(component.box.width, component.box.height)) >= least {
            let points = found.runs[component.runs].flatMap { run -> [Point] in
                let (top, bottom) = (Double(run.y), Double(run.y + 1))
                let (left, right) = (Double(run.start), Double(run.end))
                return [
                    Point(x: left, y: top), Point(x: right, y: top), Point(x: left, y: bottom),
                    Point(x: right, y: bottom),
                ]
            }
            let hull = ConvexHull(points)
            guard let quad = hull.smallestRectangle else { continue }
            let sides = quad.sides
            let area = sides[0] * sides[1]
            guard min(sides[0], sides[1]) >= least, hull.area >= 0.8 * area else { continue }
            items.append(
                Item(quad: quad.scaled(x: scale, y: scale), fill: Double(component.area) / area))
        }
        return inReadingOrder(withoutInner(items))
    }

    /// The pixels that differ from the lid; nil when the border shows no lid.
    private static func mask(of small: Raster) -> Raster? {
        let (width, height, stride) = (small.width, small.height, small.stride)
        return small.withBytes { bytes in
            func level(_ x: Int, _ y: Int, _ channel: Int) -> Int {
                Int(bytes[y * stride + 3 * x + channel])
            }
            // The lid's color is the most common one at the border: the median of each channel.
            var border: [[Int]] = [[], [], []]
            for x in 0..<width {
                for y in [1, height - 2] { for c in 0..<3 { border[c].append(level(x, y, c)) } }
            }
            for y in 0..<height {
                for x in [1, width - 2] { for c in 0..<3 { border[c].append(level(x, y, c)) } }
            }
            let lid = border.map { $0.sorted()[$0.count / 2] }
            func distance(_ x: Int, _ y: Int) -> Int {
                (0..<3).map { (level(x, y, $0) - lid[$0]).magnitude }.max().map { Int($0) } ?? 0
            }
            let near =
                (0..<width).count { distance($0, 1) < 24 }
                + (0..<width).count { distance($0, height - 2) < 24 }
                + (0..<height).count { distance(1, $0) < 24 }
                + (0..<height).count { distance(width - 2, $0) < 24 }
            guard near * 2 >= width + height else { return nil }
            var mask = Raster(width: width, height: height, format: .bilevel)
            let maskStride = mask.stride
            mask.withMutableBytes { marks in
                for y in 0..<height {
                    for x in 0..<width where distance(x, y) > 22 {
                        marks[y * maskStride + x / 8] |= 0x80 >> UInt8(x % 8)
                    }
                }
            }
            return mask
        }
    }

    /// The items that are not inside a larger one: a photograph's pale areas may separate parts of
    /// it.
    private static func withoutInner(_ items: [Item]) -> [Item] {
        let sorted = items.sorted { $0.quad.area > $1.quad.area }
        var kept: [Item] = []
        for item in sorted {
            let middle = item.quad.middle
            if !kept.contains(where: { $0.quad.contains(middle) }) { kept.append(item) }
        }
        return kept
    }

    /// The items in rows from the top, and each row from the left.
    static func inReadingOrder(_ items: [Item]) -> [Item] {
        var rows: [[Item]] = []
        for item in items.sorted(by: { $0.quad.middle.y < $1.quad.middle.y }) {
            let reach = min(item.quad.sides[0], item.quad.sides[1]) / 2
            if let last = rows.indices.last, let first = rows[last].first,
                item.quad.middle.y - first.quad.middle.y < reach
            {
                rows[last].append(item)
            } else {
                rows.append([item])
            }
        }
        return rows.flatMap { $0.sorted { $0.quad.middle.x < $1.quad.middle.x } }
    }
}

extension Quad {
    /// The mean of the corners.
    var middle: Point {
        Point(
            x: corners.reduce(0) { $0 + $1.x } / 4, y: corners.reduce(0) { $0 + $1.y } / 4)
    }

    /// True for a point inside the quad.
    func contains(_ point: Point) -> Bool {
        let sides = corners.indices.map { index -> Double in
            let (a, b) = (corners[index], corners[(index + 1) % 4])
            return (b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)
        }
        return sides.allSatisfy { $0 >= 0 } || sides.allSatisfy { $0 <= 0 }
    }
}
