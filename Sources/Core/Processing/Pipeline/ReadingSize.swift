import Documents
import Imaging
import Recognition

extension Raster {
    /// The picture, at most as large as a reader accepts: a larger one is halved until it fits.
    ///
    /// A larger page has at least 600 dpi, and letters are read just as well at half of that.
    var fitForReaders: Raster {
        var (across, down) = (width, height)
        while max(across, down) > ReaderPicture.longestSide
            || across * down > ReaderPicture.mostPixels
        {
            (across, down) = (max(1, across / 2), max(1, down / 2))
        }
        return across == width ? self : resized(to: across, down)
    }
}

extension PageText {
    /// The text of a reduced picture, with its places in the original one.
    ///
    /// - Throws: `RecognitionError` `engineFailed` when a place is outside the original picture.
    func placed(from picture: Raster, on whole: Raster) throws -> PageText {
        guard picture.width != whole.width else { return self }
        let across = Double(whole.width) / Double(picture.width)
        let down = Double(whole.height) / Double(picture.height)
        let map = Homography(matrix: [across, 0, 0, 0, down, 0, 0, 0, 1])
        guard
            var text = map.flatMap({ moved(by: $0, width: whole.width, height: whole.height) })
        else {
            throw RecognitionError(
                .engineFailed,
                "The words of a page that was read at a smaller size have no places on it.")
        }
        text.evidence = evidence
        return text
    }
}
