import CLeptonica

/// Checks the sizes that leptonica's header readers report, before its decoders run.
enum LeptonicaHeader {
    static func checkTIFF(
        _ bytes: [UInt8], page: Int32, _ limits: DecodingLimits
    ) throws(ImagingError) {
        var (width, height): (Int32, Int32) = (0, 0)
        guard
            readHeaderMemTiff(bytes, bytes.count, page, &width, &height, nil, nil, nil, nil, nil)
                == 0
        else {
            throw ImagingError(.damagedData, "Page \(page) of the TIFF file can't be read.")
        }
        try limits.check(width: Int(width), height: Int(height))
    }

    static func checkPNM(_ bytes: [UInt8], _ limits: DecodingLimits) throws(ImagingError) {
        var (width, height): (Int32, Int32) = (0, 0)
        guard readHeaderMemPnm(bytes, bytes.count, &width, &height, nil, nil, nil, nil) == 0 else {
            throw ImagingError(.damagedData, "The header of the PNM file can't be read.")
        }
        try limits.check(width: Int(width), height: Int(height))
    }

    static func checkWebP(_ bytes: [UInt8], _ limits: DecodingLimits) throws(ImagingError) {
        var (width, height, samples): (Int32, Int32, Int32) = (0, 0, 0)
        guard readHeaderMemWebP(bytes, bytes.count, &width, &height, &samples) == 0 else {
            throw ImagingError(.damagedData, "The header of the WebP file can't be read.")
        }
        try limits.check(width: Int(width), height: Int(height))
    }
}
