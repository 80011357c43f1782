import Detection
import Imaging

/// The followed page as last examined.
struct FollowedLook {
    /// Where it was.
    let quad: Quad
    /// What was there.
    let signature: PageSignature?
    /// How well it could be seen.
    let measures: PageMeasures?

    /// A page that has moved by less than this part of its diagonal, a tenth of a pixel of the
    /// reduced picture, is compared where it was.
    private static let same = 0.0001

    /// Examines a page.
    ///
    /// - Parameters:
    ///   - quad: where it is.
    ///   - luma: the picture, reduced.
    ///   - last: the previous look, and what is at its place now; nil if unknown.
    ///   - measures: how well it can be seen, where that is known.
    ///   - seeksGlare: false to assume that there is none.
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

    /// What is at its place in another picture.
    func again(in luma: Raster) -> PageSignature? { PageSignature(of: quad, in: luma) }
}
