import ESCL
import Imaging
import ScanService

/// The plan for a client's request, adapted to the device's capabilities.
struct ScanPlan: Hashable, Sendable {
    var source: ScanSource
    var colorMode: ColorMode
    var resolution: Int
    var region: ScanRegion
    var format: DocumentFormat
    /// True for a client that reads only PNGs with three channels.
    var needsColors = false
    /// True for the page under a camera.
    var isPhotograph: Bool
    /// The device's settings.
    var settings: CommonSettings
    /// The maximum number of pages; nil for all in the feeder.
    var limit: Int?

    /// The plan for a client's request.
    ///
    /// Missing settings are chosen, the nearest resolution is used, and a region is cut to the
    /// glass.
    ///
    /// - Throws: ``ESCLError`` for what the device can't do at all.
    init(_ wanted: ScanSettings, _ abilities: DeviceAbilities) throws(ESCLError) {
        let usual = ScanSource.allCases.first { abilities.inputs[$0] != nil } ?? .platen
        source = wanted.source ?? usual
        guard let input = abilities.inputs[source] else {
            throw ESCLError(
                source == .platen
                    ? "This scanner has no flatbed. Choose the feeder."
                    : source == .feederDuplex && abilities.inputs[.feeder] != nil
                        ? "This scanner's feeder takes one side only. Leave out Duplex."
                        : "This scanner has no such feeder. Choose the flatbed.")
        }
        let preferred = [ColorMode.color, .gray].first(where: input.colorModes.contains)
        colorMode = wanted.colorMode ?? preferred ?? input.colorModes[0]
        guard input.colorModes.contains(colorMode) else {
            throw ESCLError(
                "ColorMode is \(colorMode.rawValue), but this scanner has: \(input.colorModes.map(\.rawValue).joined(separator: ", "))."
            )
        }
        let asked = wanted.xResolution ?? wanted.yResolution ?? 300
        resolution =
            input.resolutions.min { abs($0 - asked) < abs($1 - asked) } ?? asked
        region = try Self.region(wanted.region, within: input)
        format = wanted.format ?? .jpeg
        limit = source == .platen ? 1 : nil
        isPhotograph = abilities.isCamera
        let words: [ScanSource: String] = [
            .platen: "flatbed", .feeder: "feeder", .feederDuplex: "feeder-duplex",
        ]
        let modes: [ColorMode: String] = [
            .blackAndWhite: "bilevel", .gray: "gray", .color: "color",
        ]
        let area = PlatenArea(
            x: ScanRegion.millimeters(region.x), y: ScanRegion.millimeters(region.y),
            width: ScanRegion.millimeters(region.width),
            height: ScanRegion.millimeters(region.height))
        settings = CommonSettings(
            source: words[source], mode: abilities.hasModes ? modes[colorMode] : nil,
            resolution: abilities.hasResolution ? resolution : nil,
            area: abilities.hasArea ? area : nil,
            brightness: abilities.brightness == nil ? nil : wanted.brightness.map(Double.init),
            contrast: abilities.contrast == nil ? nil : wanted.contrast.map(Double.init))
    }

    /// The kind of samples of a page after the steps.
    var pixelFormat: PixelFormat {
        switch colorMode {
        case .blackAndWhite: .bilevel
        case .gray: .gray8
        case .color: .rgb8
        }
    }

    /// The plan as a client's settings.
    var asSettings: ScanSettings {
        ScanSettings(
            source: source, region: region, colorMode: colorMode, xResolution: resolution,
            yResolution: resolution, format: format)
    }

    /// The part of the glass: the requested region, cut to the glass and not smaller than the
    /// device accepts.
    private static func region(_ wanted: ScanRegion?, within input: ScannerCapabilities.Input)
        throws(ESCLError) -> ScanRegion
    {
        guard let wanted else {
            return ScanRegion(x: 0, y: 0, width: input.most.width, height: input.most.height)
        }
        guard wanted.x < input.most.width, wanted.y < input.most.height else {
            throw ESCLError(
                "The ScanRegion begins at \(wanted.x), \(wanted.y), beyond the \(input.most.width) × \(input.most.height) of this scanner."
            )
        }
        let width = min(max(wanted.width, input.least.width), input.most.width)
        let height = min(max(wanted.height, input.least.height), input.most.height)
        return ScanRegion(
            x: min(wanted.x, input.most.width - min(width, input.least.width)),
            y: min(wanted.y, input.most.height - min(height, input.least.height)),
            width: max(input.least.width, min(width, input.most.width - wanted.x)),
            height: max(input.least.height, min(height, input.most.height - wanted.y)))
    }
}
