/// The part of the glass that is scanned, in millimeters from its top left corner.
struct ScannedArea: Hashable, Sendable {
    var left: Double
    var top: Double
    var width: Double
    var height: Double

    /// The test page as a scanner sees this part of it at `dpi`, lid included.
    func picture(of page: TestPage, dpi: Int, label: String?) -> DrawnPicture {
        let scale = Double(dpi) / 25.4
        return DrawnPicture(
            width: max(1, Int((width * scale).rounded())),
            height: max(1, Int((height * scale).rounded())),
            resolution: Double(dpi), label: label, ground: TestPage.lid,
            rectangles: page.shapes().map {
                $0.pixels(scale: scale, x: -left * scale, y: -top * scale)
            })
    }
}
