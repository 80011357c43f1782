import CV4L2
import CaptureKit

/// Asks a camera for everything it can do (`VIDIOC_ENUM_FMT`, `VIDIOC_ENUM_FRAMESIZES`,
/// `VIDIOC_ENUM_FRAMEINTERVALS`).
enum ModeList {
    /// More than any camera has: a driver that answers endlessly is abandoned.
    private static let most: UInt32 = 256

    /// The modes of the camera behind `file`; of a range of sizes or rates, the common ones.
    static func read(_ file: Int32, type: UInt32) -> [CameraMode] {
        formats(file, type: type).flatMap { format in
            sizes(file, format).map { CameraMode(format, $0, intervals(file, format, $0)) }
        }
    }

    private static func formats(_ file: Int32, type: UInt32) -> [FourCC] {
        var found: [FourCC] = []
        for index in 0..<most {
            var format = v4l2_fmtdesc()
            format.index = index
            format.type = type
            guard retryingInterrupts({ cv4l2_enumerate_format(file, &format) }) == 0 else { break }
            let code = FourCC(rawValue: format.pixelformat)
            if !found.contains(code) { found.append(code) }
        }
        return found
    }

    private static func sizes(_ file: Int32, _ format: FourCC) -> [FrameSize] {
        var found: [FrameSize] = []
        for index in 0..<most {
            var size = cv4l2_size()
            let answer = retryingInterrupts {
                cv4l2_enumerate_size(file, format.rawValue, index, &size)
            }
            guard answer == 0 else { break }
            if size.is_range != 0 { return SizeRange(size).sizes }
            let one = FrameSize(width: Int(size.width), height: Int(size.height))
            if isPossible(one) && !found.contains(one) { found.append(one) }
        }
        return found
    }

    private static func intervals(
        _ file: Int32, _ format: FourCC, _ size: FrameSize
    ) -> [FrameInterval] {
        var found: [FrameInterval] = []
        for index in 0..<most {
            var interval = cv4l2_interval()
            let answer = retryingInterrupts {
                cv4l2_enumerate_interval(
                    file, format.rawValue, UInt32(size.width), UInt32(size.height), index, &interval
                )
            }
            guard answer == 0 else { break }
            let (shortest, longest) = (interval.shortest, interval.longest)
            guard let fastest = FrameInterval(shortest.numerator, shortest.denominator) else {
                continue
            }
            if interval.is_range != 0 {
                let slowest = FrameInterval(longest.numerator, longest.denominator) ?? fastest
                let between = [60, 50, 30, 25, 20, 15, 10, 5, 2, 1].compactMap {
                    FrameInterval(1, $0)
                }
                return [fastest]
                    + between.filter { $0.rate < fastest.rate && $0.rate >= slowest.rate }
            }
            found.append(fastest)
        }
        return found
    }

    /// Sides that a frame of the capture protocol may have.
    static func isPossible(_ size: FrameSize) -> Bool {
        (1...65_535).contains(size.width) && (1...65_535).contains(size.height)
    }
}
