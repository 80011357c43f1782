import CV4L2

/// A range of sizes that lists the common ones.
struct SizeRange {
    var least: FrameSize
    var most: FrameSize
    var step: FrameSize

    private static let common = [
        (320, 240), (640, 480), (800, 600), (1024, 768), (1280, 720), (1280, 960), (1280, 1024),
        (1600, 1200), (1920, 1080), (2048, 1536), (2560, 1440), (2592, 1944), (3264, 2448),
        (3840, 2160), (4096, 3072), (4608, 3456), (5120, 3840),
    ].map { FrameSize(width: $0, height: $1) }

    init(least: FrameSize, most: FrameSize, step: FrameSize) {
        self.least = least
        self.most = most
        self.step = step
    }

    init(_ size: cv4l2_size) {
        least = FrameSize(width: Int(size.width), height: Int(size.height))
        most = FrameSize(width: Int(size.most_width), height: Int(size.most_height))
        step = FrameSize(
            width: max(1, Int(size.step_width)), height: max(1, Int(size.step_height)))
    }

    /// The common sizes within the range and on its steps, and the largest.
    var sizes: [FrameSize] {
        let within = SizeRange.common.filter {
            $0.width >= least.width && $0.height >= least.height && $0.width <= most.width
                && $0.height <= most.height && ($0.width - least.width) % step.width == 0
                && ($0.height - least.height) % step.height == 0
        }
        return (within.contains(most) ? within : within + [most]).filter(ModeList.isPossible)
    }
}
