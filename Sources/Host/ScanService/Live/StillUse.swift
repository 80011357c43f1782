import CaptureKit

/// Whether the pages of a camera are taken as stills, and what that has cost so far.
struct StillUse: Sendable {
    /// The fewest pixels of a still for each of a frame that are worth the change.
    static let leastGain = 1.5
    /// The longest that a still may take, including the change to it and back to the first frame,
    /// in seconds.
    static let longest = 4.0
    /// How many stills in a row may fail or take too long before stills are given up: a single one
    /// may be caused by a busy machine.
    private static let (mostUnused, mostSlow) = (3, 2)

    private let wanted: LiveOptions.Stills
    private let isRecording: Bool
    private var unused = 0
    private var slow = 0
    /// True where the device's stills are worth taking.
    private var isWorthIt = false
    /// Why no more stills are taken; nil before that.
    private(set) var surrender: String?

    /// - Parameter isRecording: true for files, which have no stills.
    init(_ wanted: LiveOptions.Stills, isRecording: Bool = false) {
        self.wanted = wanted
        self.isRecording = isRecording
    }

    /// Whether a page is taken as a still now.
    var areTaken: Bool { isWorthIt && surrender == nil }

    /// Learns what the current camera can do.
    mutating func begin(with options: [DeviceOption]) {
        isWorthIt = !isRecording && isWanted(options)
    }

    /// Whether to take a page as a still from a device with these options.
    func isWanted(_ options: [DeviceOption]) -> Bool {
        guard surrender == nil, let gain = Self.gain(options) else { return false }
        return switch wanted {
        case .never: false
        case .always: gain > 1
        case .auto: gain >= Self.leastGain
        }
    }

    /// How many pixels a still has for each of a frame, by the options `size` and `still-size`; nil
    /// where the device does not say.
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

    /// Notes how a still went.
    mutating func took(seconds: Double, isUsed: Bool) {
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
