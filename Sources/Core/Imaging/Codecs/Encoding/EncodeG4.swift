import CLeptonica

/// A bilevel picture in CCITT Group 4 coding (ITU-T T.6), for PDF and fax.
public struct G4Data: Hashable, Sendable {
    /// The coded rows, with the first bit in the highest place, and EOFB at the end.
    public let bytes: [UInt8]
    /// Pixels in a row.
    public let width: Int
    /// Rows.
    public let height: Int
}

extension Raster {
    /// The picture in Group 4 coding, without a file format.
    ///
    /// In PDF this is the data of a `CCITTFaxDecode` stream with `/K -1 /Columns width /Rows height
    /// /BlackIs1 false` (the default) in `DeviceGray`, 1 bit per component. In a picture that is
    /// not bilevel, gray values below the middle become black.
    ///
    /// - Throws: `libraryFailed` when memory runs out.
    public func encodedG4() throws(ImagingError) -> G4Data {
        let file = try converted(to: .bilevel).encodedTIFF()
        guard let strip = TIFFStrip(onlyStripOf: file), strip.isFaxOrder else {
            throw ImagingError(.libraryFailed, "The Group 4 coder did not return a single strip.")
        }
        return G4Data(bytes: Array(file[strip.range]), width: width, height: height)
    }
}
