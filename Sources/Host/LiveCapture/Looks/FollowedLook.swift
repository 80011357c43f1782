import Detection
import Imaging

/// The result of the last look at the followed page.
struct FollowedLook {
    /// The page's corners.
    let quad: Quad
    /// The page's appearance; nil if unknown.
    let signature: PageSignature?
    /// The page's sharpness and light; nil if unknown.
    let measures: PageMeasures?

    /// The minimum movement, as a part of the page's diagonal, after which the page is compared at
    /// its new place: about a tenth of a pixel of the reduced picture.
    private static let same = 0.0001

    /// Examines a page.
    ///
    /// - Parameters:
    ///   - quad: the page's corners.
    ///   - luma: the reduced picture.
    ///   - last: the previous look, and the present appearance of its place; nil if unknown.
    ///   - measures: the page's sharpness and light, if known.
    ///   - seeksGlare: false to assume that the page has no reflection.
    init(
        at quad: Quad, in luma: Raster, after last: (look: FollowedLook, now: PageSignature)?,
        measures: PageMeasures?, seeksGlare: Bool
    ) {
        self.measures = measures ?? PageMeasures(of: quad, in: luma, seeksGlare: seeksGlare)
        if let last, quad.drift(from: last.look.quad) < Self.same {
            (self.quad, signature) = (last.look.quad, last.now)
        } else {
            (self.quad, signature) = (quad, PageSignature(of: quad, in: luma))
        }
    }

    /// The appearance of the same place in another picture.
    func again(in luma: Raster) -> PageSignature? { PageSignature(of: quad, in: luma) }
}
