/// The index of a JPEG file with several pictures (CIPA DC-007-2009, 5.2).
struct MultiPictureIndex {
    /// True if a second picture follows the first, such as the other one of a stereo
    /// camera.
    ///
    /// Previews, and maps of light or depth, which are smaller, belong to the first.
    private(set) var hasOtherPictures = false

    private static let entriesTag = 0xB002
    private static let entryLength = 16
    /// The codes for a part of a panorama, the view of one eye, and one of several angles.
    private static let views = 0x020001...0x020003
    /// The kind of a picture that the index does not name.
    private static let unnamed = 0

    /// Reads the index of a file.
    ///
    /// - Parameter first: the markers of the file's first picture.
    init(_ file: UnsafeRawBufferPointer, first: JPEGMarkers) {
        guard let place = first.pictureIndex else { return }
        let reader = ByteReader(bytes: UnsafeRawBufferPointer(rebasing: file[place]))
        let isLittle = reader.has("II", at: 0)
        func number16(_ offset: Int) -> Int? {
            isLittle ? reader.little16(offset) : reader.big16(offset)
        }
        func number32(_ offset: Int) -> Int? {
            isLittle ? reader.little32(offset) : reader.big32(offset)
        }
        guard isLittle || reader.has("MM", at: 0), let directory = number32(4),
            let fields = number16(directory),
            let entries = (0..<min(fields, reader.count)).map({ directory + 2 + $0 * 12 }).first(
                where: { number16($0) == Self.entriesTag }),
            let length = number32(entries + 4), let start = number32(entries + 8)
        else { return }
        for entry in 1..<max(2, min(length, reader.count) / Self.entryLength) {
            let entry = start + entry * Self.entryLength
            guard let kind = number32(entry), let offset = number32(entry + 8) else { return }
            let isView =
                Self.views.contains(kind & 0xFF_FFFF)
                || kind & 0xFF_FFFF == Self.unnamed
                    && Self.isLike(first, file.dropFirst(place.lowerBound + offset))
            if isView { hasOtherPictures = true }
        }
    }

    /// True if the picture that begins here has the size of the first one.
    private static func isLike(_ first: JPEGMarkers, _ bytes: Slice<UnsafeRawBufferPointer>) -> Bool
    {
        let other = JPEGMarkers(UnsafeRawBufferPointer(rebasing: bytes))
        return other.width == first.width && other.height == first.height
    }
}
