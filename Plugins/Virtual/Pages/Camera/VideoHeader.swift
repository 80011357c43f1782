import CaptureKit

/// The first line of a YUV4MPEG2 file.
enum VideoHeader {
    /// Reads the form of the frames from the line, such as `YUV4MPEG2 W640 H480 F30:1 Ip C420jpeg`.
    ///
    /// Parameters other than `W`, `H`, `C` and `XCOLORRANGE` are passed over; without `C`, frames
    /// are 4:2:0.
    ///
    /// - Throws: ``CaptureError`` `invalidValue`, or `tooLarge` for frames of too many pixels.
    static func layout(_ line: String, name: String) throws -> VideoClip.Layout {
        let words = line.split(separator: " ")
        guard words.first == "YUV4MPEG2" else {
            throw wrong(name, "it does not begin with YUV4MPEG2")
        }
        var width: Int?
        var height: Int?
        var form = Substring("420")
        var isFullRange = false
        for word in words.dropFirst() {
            let value = word.dropFirst()
            switch word.first {
            case "W": width = Int(value)
            case "H": height = Int(value)
            case "C": form = value
            default: if word == "XCOLORRANGE=FULL" { isFullRange = true }
            }
        }
        let sides = 1...65_535
        guard let width, let height, sides.contains(width), sides.contains(height) else {
            throw wrong(name, "it does not state the size of its frames")
        }
        guard width * height <= VideoClip.mostPixels else {
            throw CaptureError(
                .tooLarge,
                "'\(name)' has frames of \(width) × \(height) pixels; at most \(VideoClip.mostPixels) are read"
            )
        }
        return VideoClip.Layout(
            width: width, height: height, subsampling: try subsampling(form, name),
            isFullRange: isFullRange)
    }

    private static func subsampling(
        _ form: Substring, _ name: String
    ) throws -> VideoClip.Layout.Subsampling? {
        switch form {
        case "420", "420jpeg", "420mpeg2", "420paldv": .init(x: 2, y: 2)
        case "422": .init(x: 2, y: 1)
        case "444": .init(x: 1, y: 1)
        case "mono": nil
        default: throw wrong(name, "its sample form is '\(form)', not 420, 422, 444 or mono")
        }
    }

    private static func wrong(_ name: String, _ why: String) -> CaptureError {
        CaptureError(
            .invalidValue, "'\(name)' can't be played: \(why)",
            advice: "Make a clip with: ffmpeg -i FILE -pix_fmt yuv420p clip.y4m")
    }
}
