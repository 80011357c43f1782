import CaptureHost
import Delivery
import Documents
import ExpectedFailures
import Imaging
import Processing

extension CapturedPage {
    /// The part of its picture that a job keeps; nil for the whole picture.
    func part(_ area: CaptureArea?, of picture: Raster) -> Raster? {
        area?.drawn(on: corners).cut(from: picture)
    }

    /// The picture that a page was cut from; nil if the page's place in it is unknown.
    ///
    /// - Parameters:
    ///   - area: The part of the picture that the job keeps.
    ///   - placement: The map from the picture to the page.
    func uncut(
        _ area: CaptureArea?, _ page: ProcessedPage, _ placement: Homography
    ) -> UncutPicture? {
        guard let back = placement.inverse else { return nil }
        let size = (width: page.image.width, height: page.image.height)
        let corners = back.apply(Quad(width: size.width, height: size.height))
        let scale = (Double(size.width) * Double(size.height) / corners.area).squareRoot()
        guard scale.isFinite, scale > 0, let (width, height) = pictureSize(area) else {
            return nil
        }
        return UncutPicture(
            turn: PageTurn(lyingAs: corners),
            text: page.text?.moved(by: back, width: width, height: height),
            addedText: page.readText?.moved(by: back, width: width, height: height),
            resolution: (page.image.resolution ?? ScanRun.assumedResolution) / scale,
            showsFilePage: area == nil && source != nil && !page.hasLostText
        ) { [self] in
            let (whole, isStretched) = try raster()
            let cut = part(area, of: whole)
            let isAsEncoded = !isStretched && cut == nil && original?.mediaType == "image/jpeg"
            return (cut ?? whole, isAsEncoded ? original.flatMap { readFile($0.path) } : nil)
        }
    }

    private func pictureSize(_ area: CaptureArea?) -> (width: Int, height: Int)? {
        guard let (whole, _) = reportedLater({ try raster() }) else { return nil }
        let picture = part(area, of: whole) ?? whole
        return (picture.width, picture.height)
    }
}

extension PageTurn {
    /// The turn of a picture in which a page has these corners.
    init(lyingAs corners: Quad) {
        let (x, y) = (
            corners.topRight.x - corners.topLeft.x, corners.topRight.y - corners.topLeft.y
        )
        self =
            switch (x.magnitude >= y.magnitude, x >= 0, y >= 0) {
            case (true, true, _): .none
            case (true, false, _): .half
            case (false, _, true): .counterclockwise90
            case (false, _, false): .clockwise90
            }
    }
}
