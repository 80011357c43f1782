import CaptureKit

/// The options of the camera.
enum CameraOptions {
    /// All options, in the order of the list.
    static func specs(folder: String) -> [OptionSpec] {
        picture + CommonOptions.enhancement + [CommonOptions.folder(folder), clip, loop]
            + CommonOptions.virtual
    }

    private static let picture: [OptionSpec] = [
        OptionSpec(
            "mode", "Mode", help: "Gray or color.", group: "Picture",
            type: .choice(["gray", "color"]),
            value: .text("color")),
        OptionSpec(
            "size", "Size", help: "Size of a frame, in pixels.", group: "Picture",
            type: .choice(["640x480", "1280x720", "1920x1080"]), value: .text("1280x720"),
            inactive: {
                CommonOptions.inactiveWithFolder($0)
                    ?? ($0.text("clip").isEmpty ? nil : "the frames come from a clip as they are")
            }),
        OptionSpec(
            "format", "Format",
            help:
                "How live frames are sent: 'plain' in the mode's own form, otherwise as cameras send them, in color.",
            group: "Picture", type: .choice(["plain"] + liveFormats), value: .text("plain"),
            isAdvanced: true),
        OptionSpec(
            "rate", "Frame rate", help: "Frames per second of a live capture.", group: "Picture",
            type: .number(range: 1...120, step: 0.5), value: .number(15)),
    ]

    private static let liveFormats = FrameFormat.allCases.filter(\.isLiveOnly).map(\.rawValue)

    private static let clip = OptionSpec(
        "clip", "Clip", help: "Plays this .y4m file instead of the folder.", group: "Virtual",
        type: .text(maximumLength: 4096), value: .text(""), hostPath: true)

    private static let loop = OptionSpec(
        "loop", "Loop", help: "Starts over at the end of the folder or clip.", group: "Virtual",
        type: .toggle,
        value: .bool(true))

    /// The frame's size that `settings` choose, in pixels.
    static func size(_ settings: Settings) -> (width: Int, height: Int) {
        let sides = settings.text("size").split(separator: "x").compactMap { Int($0) }
        return sides.count == 2 ? (sides[0], sides[1]) : (1280, 720)
    }
}
