import CaptureHost
import CaptureKit
import ESCL

/// The capabilities of a device in the terms of eSCL, derived from its options.
struct DeviceAbilities: Sendable {
    /// The capabilities of each source; at least one.
    var inputs: [ScanSource: ScannerCapabilities.Input] = [:]
    /// True for a camera.
    var isCamera = false
    /// True when a part of the glass can be chosen.
    var hasArea = false
    /// True when the kind of samples can be chosen.
    var hasModes = false
    /// True when the resolution can be chosen.
    var hasResolution = false
    /// True when the feeder reports whether it has paper.
    var sensesPaper = false
    var brightness: ScannerCapabilities.Span?
    var contrast: ScannerCapabilities.Span?

    /// The resolutions that are offered for a device that accepts any.
    private static let usualResolutions = [75, 100, 150, 200, 300, 400, 600, 1200, 2400]
    /// The maximum number of resolutions to list.
    private static let mostResolutions = 40

    /// Asks an open device for its capabilities, with each of its sources set in turn.
    ///
    /// - Throws: ``HostError``; `unsupported` for a device without a source that clients know.
    static func of(_ device: OpenDevice) async throws -> DeviceAbilities {
        var abilities = DeviceAbilities()
        let options = try await device.knownOptions()
        let descriptor = device.device.descriptor
        let choices = options.first { $0.name == "source" }.flatMap { option -> [String]? in
            guard case .choice(let choices) = option.type else { return nil }
            return choices
        }
        for (source, word) in sources(choices ?? descriptor.sources) {
            if choices != nil { _ = try await device.set("source", to: .text(word)) }
            abilities.take(try await device.knownOptions(), for: source, descriptor)
        }
        guard !abilities.inputs.isEmpty else {
            throw HostError(
                HostError.Code(.unsupported),
                "'\(device.device.id)' has no flatbed and no feeder that could be shared")
        }
        return abilities
    }

    /// The sources that clients know; a scanner that names none has a glass.
    static func sources(_ words: [String]) -> [(ScanSource, String)] {
        let known: [(ScanSource, String)] = [
            (.platen, "flatbed"), (.feeder, "feeder"), (.feederDuplex, "feeder-duplex"),
        ]
        return words.isEmpty ? [known[0]] : known.filter { words.contains($0.1) }
    }

    /// Records the capabilities of a source, from the options that the device has with that source.
    mutating func take(
        _ options: [DeviceOption], for source: ScanSource, _ descriptor: DeviceDescriptor
    ) {
        func option(_ name: String) -> DeviceOption? {
            options.first { $0.name == name && $0.isActive && !$0.isReadOnly }
        }
        let width = Self.lengths(option("area-width"))
        let height = Self.lengths(option("area-height"))
        hasArea =
            width != nil && height != nil && option("area-left") != nil
            && option("area-top") != nil
        let most = descriptor.maximumArea ?? AreaInMillimeters(width: 215.9, height: 297)
        let largest = (
            max(1, ScanRegion.units(width?.upperBound ?? most.width)),
            max(1, ScanRegion.units(height?.upperBound ?? most.height))
        )
        // A device that can't scan a part of its glass scans the whole glass.
        let least =
            hasArea
            ? (
                min(largest.0, ScanRegion.units(width?.lowerBound ?? 0) + 1),
                min(largest.1, ScanRegion.units(height?.lowerBound ?? 0) + 1)
            ) : largest
        inputs[source] = ScannerCapabilities.Input(
            least: least, most: largest, colorModes: Self.modes(option("mode")),
            resolutions: Self.resolutions(option("resolution")))
        hasModes = option("mode") != nil
        hasResolution = option("resolution") != nil
        sensesPaper = sensesPaper || options.contains { $0.sensor == .paper }
        brightness = brightness ?? Self.percent(option("brightness"))
        contrast = contrast ?? Self.percent(option("contrast"))
    }

    private static func lengths(_ option: DeviceOption?) -> ClosedRange<Double>? {
        guard let option, case .number(let range?, _) = option.type, range.upperBound > 0 else {
            return nil
        }
        return range
    }

    private static func modes(_ option: DeviceOption?) -> [ColorMode] {
        guard let option, case .choice(let choices) = option.type else { return [.color] }
        let known: [(ColorMode, String)] = [
            (.blackAndWhite, "bilevel"), (.gray, "gray"), (.color, "color"),
        ]
        let found = known.filter { choices.contains($0.1) }.map(\.0)
        return found.isEmpty ? [.color] : found
    }

    private static func resolutions(_ option: DeviceOption?) -> [Int] {
        let found: [Int] =
            switch option?.type {
            case .integerChoice(let choices): choices.filter { $0 > 0 }.sorted()
            case .integer(let range?, _): usualResolutions.filter(range.contains)
            case .number(let range?, _):
                usualResolutions.filter { range.contains(Double($0)) }
            default: []
            }
        guard !found.isEmpty else { return [300] }
        guard found.count > mostResolutions else { return found }
        let usual = found.filter(usualResolutions.contains)
        return usual.isEmpty ? Array(found.prefix(mostResolutions)) : usual
    }

    /// The range from −100 to 100, which every backend uses.
    private static func percent(_ option: DeviceOption?) -> ScannerCapabilities.Span? {
        let range: ClosedRange<Double>? =
            switch option?.type {
            case .number(let range?, _): range
            case .integer(let range?, _): Double(range.lowerBound)...Double(range.upperBound)
            default: nil
            }
        guard let range, range.contains(0), range.lowerBound < range.upperBound,
            range.lowerBound >= -1000, range.upperBound <= 1000
        else { return nil }
        return ScannerCapabilities.Span(
            least: Int(range.lowerBound.rounded(.up)), most: Int(range.upperBound.rounded(.down)),
            usual: 0)
    }
}
