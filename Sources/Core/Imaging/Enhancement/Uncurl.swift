import CLeptonica

/// A page whose curved lines are straight now.
public struct UncurledPage: Sendable {
    /// The picture, with the same size and format; 16-bit samples become 8-bit.
    public let image: Raster
    /// The maximum vertical movement of any place, in pixels.
    public let bend: Double
}

extension Raster {
    /// The page with its curved lines of text made straight; nil when there are too few lines.
    ///
    /// A model of the vertical displacement is fitted through the middles of the text lines:
    /// leptonica's `dewarpBuildPageModel` and `dewarpaApplyDisparity` (Bloomberg, "Dewarping of
    /// document images"). Lines must cover half of the page's width.
    ///
    /// - Throws: `libraryFailed` when memory runs out.
    public func uncurled() throws(ImagingError) -> UncurledPage? {
        guard width >= 200, height >= 200 else { return nil }
        let source = try PixHandle(self)
        var binary: UnsafeMutablePointer<PIX>?
        var models: UnsafeMutablePointer<L_DEWARPA>?
        defer { dewarpaDestroy(&models) }
        guard dewarpSinglePageInit(source.pointer, 130, 1, 0, 1, &binary, &models) == 0,
            let lettering = PixHandle(binary), let models,
            let model = dewarpCreate(lettering.pointer, 0)
        else { return nil }
        guard dewarpaInsertDewarp(models, model) == 0, dewarpBuildPageModel(model, nil) == 0 else {
            return nil
        }
        var isFitted: Int32 = 0
        guard dewarpaModelStatus(models, 0, &isFitted, nil) == 0, isFitted == 1 else { return nil }
        var made: UnsafeMutablePointer<PIX>?
        guard dewarpaApplyDisparity(models, 0, source.pointer, 255, 0, 0, &made, nil) == 0,
            let flat = PixHandle(made)
        else { return nil }
        var least: Float = 0
        var most: Float = 0
        if let field = model.pointee.sampvdispar {
            fpixGetMin(field, &least, nil, nil)
            fpixGetMax(field, &most, nil, nil)
        }
        var image = try flat.raster()
        if format.channels == 1, image.format == .rgb8 { image = image.converted(to: .gray8) }
        image.resolution = resolution
        return UncurledPage(image: image, bend: Double(max(least.magnitude, most.magnitude)))
    }
}
