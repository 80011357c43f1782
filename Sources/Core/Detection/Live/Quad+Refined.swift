public import Imaging

extension Quad {
    /// How far from a side its edge is looked for, as a part of the picture's longer side: the
    /// sides of a followed page are known better than those of one look, and in a stack other
    /// sheets' edges are near.
    private static let followedReach = 0.006

    /// A page's corners, found in a reduced picture, moved to where they are in the picture at full
    /// size, to parts of a pixel.
    ///
    /// A side without a clear edge under it stays where it is.
    ///
    /// - Parameter image: the picture in whose pixels the quad is given.
    /// - Returns: the refined quad; this one where the result would no longer be the same page.
    public func refined(in image: Raster) -> Quad {
        let refined = image.withFrameView {
            SideRefiner(frame: $0, reach: Self.followedReach).refined(self)
        }
        return refined.intersectionOverUnion(self) > 0.9 ? refined : self
    }
}
