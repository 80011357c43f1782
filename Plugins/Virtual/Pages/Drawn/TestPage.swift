/// The page the devices serve when no folder is given: an A4 sheet with rulers, a page number, a
/// gray wedge, patches of color and lines of falling width, all in millimeters from the sheet's
/// top left corner.
struct TestPage {
    /// Millimeters across the sheet.
    static let width = 210.0
    /// Millimeters down the sheet.
    static let height = 297.0
    /// The scanner's lid, which is seen where there is no paper.
    static let lid = RGB(gray: 96)

    /// The number that is printed large, 1 for the first page.
    let number: Int
    /// The line with the page's source, in capital letters.
    let caption: String

    /// Everything printed on the sheet, the sheet first.
    func shapes() -> [Shape] {
        var shapes = [Shape(0, 0, width: TestPage.width, height: TestPage.height, color: .white)]
        shapes += rulers()
        shapes += frame()
        shapes += text("COPYSTAND TEST PAGE", x: 20, y: 20, dot: 1)
        shapes += text(String(number), x: 20, y: 35, dot: 4)
        shapes += text(caption, x: 20, y: 70, dot: 0.6)
        shapes += wedge()
        shapes += patches()
        shapes += gratings()
        shapes += prose()
        return shapes
    }

    /// A tick every millimeter along the top and the left edge, longer every 5 and 10.
    private func rulers() -> [Shape] {
        func length(_ i: Int) -> Double { i % 10 == 0 ? 7 : i % 5 == 0 ? 5 : 3 }
        let across = (1..<Int(TestPage.width)).map {
            Shape(Double($0) - 0.1, 0, width: 0.2, height: length($0), color: .black)
        }
        let down = (1..<Int(TestPage.height)).map {
            Shape(0, Double($0) - 0.1, width: length($0), height: 0.2, color: .black)
        }
        return across + down
    }

    /// A black line 10 mm inside the sheet's edges.
    private func frame() -> [Shape] {
        let (w, h) = (TestPage.width - 20, TestPage.height - 20)
        return [
            Shape(10, 10, width: w, height: 0.5, color: .black),
            Shape(10, 10 + h - 0.5, width: w, height: 0.5, color: .black),
            Shape(10, 10, width: 0.5, height: h, color: .black),
            Shape(10 + w - 0.5, 10, width: 0.5, height: h, color: .black),
        ]
    }

    /// Sixteen grays from black to white, each 10 mm wide and 20 mm tall, from (25, 90) on.
    private func wedge() -> [Shape] {
        let steps = (0..<16).map { (step: Int) -> Shape in
            Shape(
                25 + 10 * Double(step), 90, width: 10, height: 20,
                color: RGB(gray: UInt8(17 * step)))
        }
        return [Shape(24.5, 89.5, width: 161, height: 21, color: .black)] + steps
    }

    /// Eight patches of 20 × 20 mm from (25, 120) on.
    private func patches() -> [Shape] {
        let colors = [
            RGB(255, 0, 0), RGB(0, 255, 0), RGB(0, 0, 255), RGB(0, 255, 255),
            RGB(255, 0, 255), RGB(255, 255, 0), RGB.black, RGB.white,
        ]
        return colors.enumerated().map { (index: Int, color: RGB) -> Shape in
            Shape(25 + 20 * Double(index), 120, width: 20, height: 20, color: color)
        }
    }

    /// Black and white lines of 2, 1, 0.5 and 0.25 mm, 30 mm of each, 40 mm apart, from (25, 150)
    /// on.
    private func gratings() -> [Shape] {
        var shapes: [Shape] = []
        for (group, line) in [2, 1, 0.5, 0.25].enumerated() {
            let left = 25 + 40 * Double(group)
            for x in stride(from: left, to: left + 30 - line, by: 2 * line) {
                shapes.append(Shape(x, 150, width: line, height: 15, color: .black))
            }
        }
        return shapes
    }

    private func prose() -> [Shape] {
        let lines = [
            "THE QUICK BROWN FOX JUMPS OVER THE LAZY DOG.",
            "PACK MY BOX WITH FIVE DOZEN LIQUOR JUGS.",
            "0123456789",
        ]
        return lines.enumerated().flatMap { (index: Int, line: String) -> [Shape] in
            text(line, x: 25, y: 180 + 10 * Double(index), dot: 0.5)
        }
    }

    private func text(_ text: String, x: Double, y: Double, dot: Double) -> [Shape] {
        DotMatrix.runs(text).map {
            Shape(
                x + dot * Double($0.x), y + dot * Double($0.y), width: dot * Double($0.count),
                height: dot, color: .black)
        }
    }
}

/// A rectangle of one color, in millimeters.
struct Shape: Sendable {
    var left: Double
    var top: Double
    var width: Double
    var height: Double
    var color: RGB

    init(_ left: Double, _ top: Double, width: Double, height: Double, color: RGB) {
        self.left = left
        self.top = top
        self.width = width
        self.height = height
        self.color = color
    }

    /// The shape in pixels: its edges are rounded to whole pixels, and it is at least one pixel
    /// wide and tall.
    ///
    /// - Parameters:
    ///   - scale: the pixels in a millimeter.
    ///   - x: the place of the sheet's left edge, in pixels.
    ///   - y: the place of its top edge, in pixels.
    func pixels(scale: Double, x: Double, y: Double) -> PixelRectangle {
        func edges(_ from: Double, _ length: Double, _ origin: Double) -> Range<Int> {
            let start = Int((from * scale + origin).rounded())
            let end = Int(((from + length) * scale + origin).rounded())
            return start..<max(start + 1, end)
        }
        return PixelRectangle(
            x: edges(left, width, x), y: edges(top, height, y), color: color)
    }
}
