import CaptureKit

/// Decides whether the pages of a camera are captured as stills, by their cost so far.
struct StillUse: Sendable {
    /// Stills are worth the change if they have at least this many times as many pixels as frames.
    static let leastGain = 1.5
    /// The maximum time for a still in seconds, from the change to it until the first frame
    /// afterward.
    static let longest = 4.0
    /// The number of stills in a row that may fail, or take too long, before no more are captured:
    /// a busy machine may cause a single failure.
    private static let (mostUnused, mostSlow) = (3, 2)

    private let wanted: LiveOptions.Stills
    private let isRecording: Bool
    private var unused = 0
    private var slow = 0
    /// True if the device's stills are worth the change.
    private var isWorthIt = false
    /// The reason why no more stills are captured; nil before that.
    private(set) var surrender: String?

    /// - Parameter isRecording: true for files, which have no stills.
    init(_ wanted: LiveOptions.Stills, isRecording: Bool = false) {
        self.wanted = wanted
        self.isRecording = isRecording
    }

    /// True if the next page is captured as a still.
    var areTaken: Bool { isWorthIt && surrender == nil }

    /// Prepares for a camera with these options.
    mutating func begin(with options: [DeviceOption]) {
        isWorthIt = !isRecording && isWanted(options)
    }

    /// True if a page should be captured as a still from a device with these options.
    func isWanted(_ options: [DeviceOption]) -> Bool {
        guard surrender == nil, let gain = Self.gain(options) else { return false }
        return switch wanted {
        case .never: false
        case .always: gain > 1
        case .auto: gain >= Self.leastGain
        }
    }

    /// The number of a still's pixels divided by that of a frame, by the options `size` and
    /// `still-size`; nil if unknown.
    static func gain(_ options: [DeviceOption]) -> Double? {
        func pixels(_ name: String) -> Double? {
            guard case .text(let text) = options.first(where: { $0.name == name })?.value else {
                return nil
            }
            let sides = text.split(separator: "x").compactMap { Double($0) }
            return sides.count == 2 && sides[0] > 0 && sides[1] > 0 ? sides[0] * sides[1] : nil
        }
        guard let still = pixels("still-size"), let frame = pixels("size") else { return nil }
        return still / frame
    }

    /// Records the result of a still.
    mutating func record(seconds: Double, isUsed: Bool) {
        unused = isUsed ? 0 : unused + 1
        slow = seconds > Self.longest ? slow + 1 : 0
        guard wanted == .auto, surrender == nil else { return }
        if slow >= Self.mostSlow {
            let tenths = (seconds * 10).rounded() / 10
            surrender =
                "A still takes \(tenths) s, so further pages are taken from the live frames. To use stills anyway: --still always"
        } else if unused >= Self.mostUnused {
            surrender =
                "\(unused) stills in a row could not be used, so further pages are taken from the live frames. To keep trying: --still always"
        }
    }
}
