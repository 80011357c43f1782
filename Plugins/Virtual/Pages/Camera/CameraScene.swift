/// The camera's picture by default: a test page on a dark desk.
///
/// The page is pushed into place during the first 12 of every 48 frames and then lies still, as a
/// page under a copy stand does.
struct CameraScene {
    /// Frames from one page to the next.
    static let period = 48
    /// Frames during which a page moves.
    static let moving = 12

    let width: Int
    let height: Int

    /// Frame `index`, counted from 0.
    func picture(_ index: Int) -> DrawnPicture {
        let page = TestPage(
            number: index / CameraScene.period + 1, caption: "CAMERA FRAME \(index + 1)")
        let scale = min(
            Double(height) * 0.86 / TestPage.height, Double(width) * 0.86 / TestPage.width)
        let left = (Double(width) - TestPage.width * scale) / 2
        let top = (Double(height) - TestPage.height * scale) / 2
        let away = Double(max(0, CameraScene.moving - index % CameraScene.period))
        let shift = away * Double(width) / 40
        return DrawnPicture(
            width: width, height: height, resolution: nil, label: "frame \(index + 1)",
            ground: RGB(70, 58, 48),
            rectangles: page.shapes().map { $0.pixels(scale: scale, x: left + shift, y: top) })
    }
}
