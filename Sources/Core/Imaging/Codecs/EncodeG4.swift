import CLeptonica

/// A bilevel picture in CCITT Group 4 coding (ITU-T T.6), as PDF and fax take it.
public struct G4Data: Hashable, Sendable {
    /// The coded rows, the first bit in the highest place, ended by EOFB.
    public let bytes: [UInt8]
    /// Pixels in a row.
    public let width: Int
    /// Rows.
    public let height: Int
}

extension Raster {
    /// The picture in Group 4 coding without a file format around it.
    ///
    /// In PDF this is the data of a `CCITTFaxDecode` stream with `/K -1 /Columns width /Rows height
    /// /BlackIs1 false` (the default) in `DeviceGray`, 1 bit a component. A picture that is not
    /// bilevel is compared with the middle first.
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
