public import Imaging

extension Quad {
    /// A page's corners, found in a reduced picture, moved to where they are in the picture at full size, to parts of a pixel.
    ///
    /// A side without a clear edge under it stays where it is.
    ///
    /// - Parameter image: the picture in whose pixels the quad is given.
    /// - Returns: the refined quad; this one where the result would no longer be the same page.
    public func refined(in image: Raster) -> Quad {
        let refined = image.withFrameView { SideRefiner(frame: $0).refined(self) }
        return refined.intersectionOverUnion(self) > 0.9 ? refined : self
    }
}
