import CExif
import CaptureKit
import ColorProfiles

/// A picture's rotation and resolution, according to its EXIF data.
struct ExifFacts {
    /// The rotation for the stored pixels.
    var turn = Turn.none
    /// Dots per inch.
    var resolution: Resolution?
    /// The device that captured the picture; nil if unknown.
    var origin: PageFacts.Origin?
    /// The colors; nil if nothing names them.
    var colors: ColorSource?

    /// No facts.
    init() {}

    /// Reads a block of EXIF data, with or without its "Exif" header (libexif,
    /// `exif_data_new_from_data`).
    ///
    /// Data that can't be read yields no facts, because a picture is not refused for its metadata.
    init(_ block: UnsafeRawBufferPointer) {
        let header = ascii("Exif\0\0")
        let hasHeader = block.starts(with: header)
        let bytes = hasHeader ? Array(block) : header + Array(block)
        guard bytes.count <= 1 << 20, let data = exif_data_new_from_data(bytes, UInt32(bytes.count))
        else { return }
        defer { exif_data_unref(data) }
        let tiff = UnsafeRawBufferPointer(
            rebasing: block[min(block.count, hasHeader ? header.count : 0)...])
        if ExifColors.isAdobeRGB(tiff) { colors = .adobeRGB }
        let order = exif_data_get_byte_order(data)
        guard let first = data.pointee.ifd.0 else { return }

        if let value = short(EXIF_TAG_ORIENTATION, of: first, order),
            let known = Turn(rawValue: value)
        {
            turn = known
        }
        if let x = rational(EXIF_TAG_X_RESOLUTION, of: first, order) {
            let y = rational(EXIF_TAG_Y_RESOLUTION, of: first, order) ?? x
            // The unit is 2 for inches and 3 for centimeters; inches are the default.
            let scale = short(EXIF_TAG_RESOLUTION_UNIT, of: first, order) == 3 ? 2.54 : 1
            resolution = plausible(x: x * scale, y: y * scale)
        }
        if let details = data.pointee.ifd.2 { readDetails(details) }
    }

    /// Reads the part about how the picture was captured.
    private mutating func readDetails(_ details: UnsafeMutablePointer<ExifContent>) {
        // Scanners and cameras name themselves here. Other cameras at least state an exposure.
        if let source = exif_content_get_entry(details, EXIF_TAG_FILE_SOURCE),
            source.pointee.size >= 1, let kind = source.pointee.data?[0]
        {
            origin = kind == 3 ? .photo : kind == 1 || kind == 2 ? .scan : nil
        }
        let exposure = [EXIF_TAG_EXPOSURE_TIME, EXIF_TAG_FNUMBER, EXIF_TAG_FOCAL_LENGTH]
        if origin == nil, exposure.contains(where: { exif_content_get_entry(details, $0) != nil }) {
            origin = .photo
        }
    }
}

/// A plausible resolution of a scanner, camera or program; nil for nonsense such as 0 or 10⁹.
func plausible(x: Double, y: Double) -> Resolution? {
    guard (1...100_000).contains(x), (1...100_000).contains(y) else { return nil }
    return Resolution(x: x, y: y)
}

private func short(
    _ tag: ExifTag, of content: UnsafeMutablePointer<ExifContent>, _ order: ExifByteOrder
) -> Int? {
    guard let entry = exif_content_get_entry(content, tag),
        entry.pointee.format == EXIF_FORMAT_SHORT,
        entry.pointee.components >= 1, entry.pointee.size >= 2, let bytes = entry.pointee.data
    else { return nil }
    return Int(exif_get_short(bytes, order))
}

private func rational(
    _ tag: ExifTag, of content: UnsafeMutablePointer<ExifContent>, _ order: ExifByteOrder
) -> Double? {
    guard let entry = exif_content_get_entry(content, tag),
        entry.pointee.format == EXIF_FORMAT_RATIONAL, entry.pointee.components >= 1,
        entry.pointee.size >= 8, let bytes = entry.pointee.data
    else { return nil }
    let value = exif_get_rational(bytes, order)
    return value.denominator == 0 ? nil : Double(value.numerator) / Double(value.denominator)
}
