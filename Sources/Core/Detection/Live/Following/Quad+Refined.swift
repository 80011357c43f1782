public import Imaging

extension Quad {
    /// The distance from a side within which its edge is searched for, as a part of the picture's
    /// longer side.
    ///
    /// This distance is short: a followed page's sides are well known, and a stack has other
    /// sheets' edges near them.
    private static let followedReach = 0.006

    /// A page's corners from a reduced picture, moved to their exact places in the picture at full
    /// size.
    ///
    /// A side without a clear edge stays where it is.
    ///
    /// - Parameter image: the picture in whose pixels the quad is given.
    /// - Returns: the refined quad; this one if the result would no longer be the same page.
    public func refined(in image: Raster) -> Quad {
        let refined = image.withFrameView {
            SideRefiner(frame: $0, reach: Self.followedReach).refined(self)
        }
        return refined.intersectionOverUnion(self) > 0.9 ? refined : self
    }
}
