import CaptureKit

/// The options of the camera.
enum CameraOptions {
    /// All of them, in the order in which they are listed.
    static func specs(folder: String) -> [OptionSpec] {
        picture + CommonOptions.enhancement + [CommonOptions.folder(folder), clip, loop]
            + CommonOptions.virtual
    }

    private static let picture: [OptionSpec] = [
        OptionSpec(
            "mode", "Mode", "Gray or color.", group: "Picture", .choice(["gray", "color"]),
            .text("color")),
        OptionSpec(
            "size", "Size", "Pixels of a frame.", group: "Picture",
            .choice(["640x480", "1280x720", "1920x1080"]), .text("1280x720"),
            inactive: {
                CommonOptions.inactiveWithFolder($0)
                    ?? ($0.text("clip").isEmpty ? nil : "the frames come from a clip as they are")
            }),
        OptionSpec(
            "format", "Format",
            "How live frames are sent: 'plain' in the mode's own form, else as cameras send them, in color.",
            group: "Picture", .choice(["plain"] + liveFormats), .text("plain"), isAdvanced: true),
        OptionSpec(
            "rate", "Frame rate", "Frames a second of a live capture.", group: "Picture",
            .number(range: 1...120, step: 0.5), .number(15)),
    ]

    private static let liveFormats = FrameFormat.allCases.filter(\.isLiveOnly).map(\.rawValue)

    private static let clip = OptionSpec(
        "clip", "Clip", "Plays this .y4m file; it comes before the folder.", group: "Virtual",
        .text(maximumLength: 4096), .text(""), hostPath: true)

    private static let loop = OptionSpec(
        "loop", "Loop", "Begins again when the folder or clip is through.", group: "Virtual",
        .toggle,
        .bool(true))

    /// The frame's size that `settings` choose, in pixels.
    static func size(_ settings: Settings) -> (width: Int, height: Int) {
        let sides = settings.text("size").split(separator: "x").compactMap { Int($0) }
        return sides.count == 2 ? (sides[0], sides[1]) : (1280, 720)
    }
}
