import Imaging

/// Decides when a picture stays whole although a sheet was found in it: cutting a page loses a part
/// of it, but leaving its surroundings loses nothing.
struct WholePicture {
    private let page: StepInput
    /// The sheets in the pixels of the page's `analysis.gray`.
    private let sheets: [Quad]

    init(_ page: StepInput, sheets: [Quad]) {
        self.page = page
        self.sheets = sheets
    }

    /// The reason why a picture must not be searched; nil when its edges are unknown.
    static func certainty(of page: StepInput) -> String? {
        page.facts.edgesArePaper ? "unchanged: the picture's edges are the page's own" : nil
    }

    /// The reason why the picture stays whole; nil when the sheets may be cut out.
    func reason() throws -> String? {
        let ground = Ground(page.image, gray: page.analysis.gray, sheets: sheets)
        // Several objects on one ground are not a page, even if the ground is drawn.
        if !page.facts.isScan, sheets.count == 1, let ground, ground.isDrawn {
            return
                "unchanged: everything around the sheet has one exact color, as only software makes it"
        }
        if sheets.allSatisfy({ $0.leanOfRectangle != nil }) {
            if try hasLetteringOutside() {
                return "unchanged: there is lettering outside the sheet"
            }
            if OutsideWriting(page.analysis.gray, outside: sheets).exists() {
                return "unchanged: there is writing outside the sheet"
            }
        }
        if let ground, ground.isNotLid, let paper = exactPaper, !partIsPaper {
            return "unchanged: the whole is exactly \(paper.title), "
                + "and the part has no known size"
        }
        return nil
    }

    // MARK: Lettering

    /// True when a row of five or more patches of similar height, as letters are, is outside every
    /// sheet.
    private func hasLetteringOutside() throws -> Bool {
        if hasRow(of: try page.analysis.sketch.get().image) { return true }
        return try GroundInk.sketches(of: page.analysis.gray).contains(where: hasRow)
    }

    /// - Parameter ink: a bilevel picture of the page.
    private func hasRow(of ink: Raster) -> Bool {
        let scale = Double(ink.width) / Double(page.analysis.gray.width)
        let scaled = sheets.map { $0.scaled(x: scale, y: scale) }
        let bounds = ink.bounds
        let letters = InkComponents(of: ink).components.filter { patch in
            let box = patch.box
            let fill = Double(patch.area) / Double(box.width * box.height)
            return (6...100).contains(box.height) && (2...120).contains(box.width)
                && box.width < 4 * box.height && (0.12...0.92).contains(fill)
                && box.x > 1 && box.y > 1 && box.x + box.width < bounds.width - 1
                && box.y + box.height < bounds.height - 1
                && !scaled.contains { $0.comesNear(box) }
        }
        .map(\.box).sorted { $0.x < $1.x }
        for (index, first) in letters.enumerated() {
            var (last, count) = (first, 1)
            for next in letters[(index + 1)...] {
                guard next.x <= last.x + last.width + 2 * first.height else { break }
                let isLevel =
                    (next.y + next.height - last.y - last.height).magnitude <= first.height / 3 + 1
                let isAlike = 2 * next.height >= first.height && next.height <= 2 * first.height
                if isLevel, isAlike, next.x >= last.x + last.width - 1 {
                    (last, count) = (next, count + 1)
                }
                if count >= 5 { return true }
            }
        }
        return false
    }

    // MARK: Paper sizes

    /// The paper whose size the whole picture has exactly, at its own resolution or at a usual one.
    private var exactPaper: PaperSize? {
        let (width, height) = (page.image.width, page.image.height)
        let usual = [100.0, 150, 200, 240, 300, 400, 600]
        let scales = page.image.plausibleResolution.map { [$0] } ?? usual
        return PaperSize.sheets.first { size in
            scales.contains { dpi in
                func fits(_ pixels: Int, _ millimeters: Double) -> Bool {
                    (Double(pixels) - millimeters / 25.4 * dpi).magnitude <= max(1.5, dpi / 100)
                }
                return fits(width, size.short) && fits(height, size.long)
                    || fits(width, size.long) && fits(height, size.short)
            }
        }
    }

    /// True when one of the sheets has a known size, or the scale is unknown.
    private var partIsPaper: Bool {
        guard let resolution = page.image.plausibleResolution else { return false }
        let scale = Double(page.image.width) / Double(page.analysis.gray.width) / resolution * 25.4
        return sheets.contains { sheet in
            let sides = sheet.sides
            return PaperSize.matching(
                width: (sides[0] + sides[2]) / 2 * scale, height: (sides[1] + sides[3]) / 2 * scale)
                != nil
        }
    }
}

/// The area outside the sheets of a picture, sampled by a few thousand of its pixels.
private struct Ground {
    /// True when nearly all of the area has exactly one color.
    ///
    /// White and black count only around a drawn sheet, because photographs can have them too.
    let isDrawn: Bool
    /// True when the area is colored or of a middle gray: a scanner's lid is white, black or pale.
    let isNotLid: Bool

    /// Returns nil for a black-and-white picture, and if too little of the picture is outside.
    init?(_ image: Raster, gray: Raster, sheets: [Quad]) {
        guard image.format != .bilevel else { return nil }
        let bytes = image.format.bitsPerPixel / 8
        let scale = Double(gray.width) / Double(image.width)
        var outside: [[UInt8]] = []
        var inside: [[UInt8]] = []
        // A margin of a hundredth around the edges belongs to neither side.
        let larger = sheets.map { $0.grown(by: 1.03) }
        let smaller = sheets.map { $0.grown(by: 0.97) }
        let stride = image.stride
        image.withBytes { pixels in
            for row in 1..<160 {
                for column in 1..<160 {
                    let (x, y) = (column * image.width / 160, row * image.height / 160)
                    let place = Point(x: Double(x) * scale, y: Double(y) * scale)
                    let start = y * stride + x * bytes
                    if !larger.contains(where: { $0.contains(place) }) {
                        outside.append(Array(pixels[start..<start + bytes]))
                    } else if smaller.contains(where: { $0.contains(place) }) {
                        inside.append(Array(pixels[start..<start + bytes]))
                    }
                }
            }
        }
        guard outside.count >= 200 else { return nil }
        let (color, share) = Self.commonest(outside)
        let isSaturated = Set(color).count == 1 && (color[0] < 3 || color[0] > 252)
        let sheet = Self.commonest(inside)
        let sheetIsDrawn =
            sheet.share >= 0.4
            && !(Set(sheet.color).count == 1 && (sheet.color[0] < 3 || sheet.color[0] > 252))
        isDrawn = share >= 0.7 && (!isSaturated || sheetIsDrawn)
        let step = bytes / image.format.channels
        // The high byte of a 16-bit sample comes second.
        let middle = (0..<image.format.channels).map { channel -> Int in
            let levels = outside.map { Int($0[channel * step + step - 1]) }.sorted()
            return levels[levels.count / 2]
        }
        let spread = (middle.max() ?? 0) - (middle.min() ?? 0)
        isNotLid = spread >= 25 || (75...205).contains(middle[0])
    }

    private static func commonest(_ pixels: [[UInt8]]) -> (color: [UInt8], share: Double) {
        var counts: [[UInt8]: Int] = [:]
        for pixel in pixels { counts[pixel, default: 0] += 1 }
        guard let most = counts.max(by: { $0.value < $1.value }) else { return ([0], 0) }
        return (most.key, Double(most.value) / Double(pixels.count))
    }
}

extension Quad {
    /// The quad made larger or smaller about its middle.
    fileprivate func grown(by factor: Double) -> Quad {
        let middle = middle
        func moved(_ corner: Point) -> Point { middle.toward(corner, factor) }
        return Quad(
            topLeft: moved(topLeft), topRight: moved(topRight), bottomRight: moved(bottomRight),
            bottomLeft: moved(bottomLeft))
    }

    /// True when a box is in the quad or within a few pixels of it.
    fileprivate func comesNear(_ box: PixelRect) -> Bool {
        let (left, top) = (Double(box.x - 4), Double(box.y - 4))
        let (right, bottom) = (
            Double(box.x + box.width + 4), Double(box.y + box.height + 4)
        )
        return [
            Point(x: left, y: top), Point(x: right, y: top), Point(x: right, y: bottom),
            Point(x: left, y: bottom), Point(x: (left + right) / 2, y: (top + bottom) / 2),
        ].contains(where: contains)
    }
}
