/// The settings that most scanners have, with the same names in every backend.
///
/// They are set in this order, because a source may change the available resolutions and papers.
public struct CommonSettings: Codable, Hashable, Sendable {
    /// The source: `flatbed`, `feeder`, `feeder-duplex`, or `auto` for the feeder if it has paper,
    /// or else the flatbed.
    public var source: String?
    /// `bilevel`, `gray` or `color`.
    public var mode: String?
    /// Dots per inch; the device uses the nearest possible value.
    public var resolution: Int?
    /// The sheet to scan by its name, such as `a4`.
    public var paper: String?
    /// The part of the platen to scan.
    public var area: PlatenArea?
    /// Percent, −100…100; 0 leaves pages as the scanner sees them.
    public var brightness: Double?
    /// Percent, −100…100; 0 leaves pages as the scanner sees them.
    public var contrast: Double?

    /// The names of its JSON.
    package enum CodingKeys: String, CodingKey {
        case source, mode, resolution, paper, area, brightness, contrast
    }

    /// Settings; nil values do not change the device.
    public init(
        source: String? = nil, mode: String? = nil, resolution: Int? = nil, paper: String? = nil,
        area: PlatenArea? = nil, brightness: Double? = nil, contrast: Double? = nil
    ) {
        self.source = source
        self.mode = mode
        self.resolution = resolution
        self.paper = paper
        self.area = area
        self.brightness = brightness
        self.contrast = contrast
    }

    /// True if nothing is set.
    public var isEmpty: Bool { self == CommonSettings() }

    /// The values that are set, by name, as typed.
    var valuesByName: [String: String] {
        let place = area.map { area in
            [area.x, area.y, area.width, area.height].map { "\($0)" }.joined(separator: ",")
        }
        return [
            "source": source, "mode": mode, "resolution": resolution.map { "\($0)" },
            "paper": paper, "area": place, "brightness": brightness.map { "\($0)" },
            "contrast": contrast.map { "\($0)" },
        ].compactMapValues { $0 }
    }

    /// These settings, replaced by those in `later`; an area replaces a paper, and
    /// the other way round.
    func changed(by later: CommonSettings) -> CommonSettings {
        let hasPlace = later.paper != nil || later.area != nil
        return CommonSettings(
            source: later.source ?? source, mode: later.mode ?? mode,
            resolution: later.resolution ?? resolution, paper: hasPlace ? later.paper : paper,
            area: hasPlace ? later.area : area, brightness: later.brightness ?? brightness,
            contrast: later.contrast ?? contrast)
    }
}

/// A part of the platen, in millimeters from its top left corner.
public struct PlatenArea: Codable, Hashable, Sendable {
    /// The distance from the left side, at least 0.
    public var x: Double
    /// The distance from the top, at least 0.
    public var y: Double
    /// The width in millimeters, above 0.
    public var width: Double
    /// The height in millimeters, above 0.
    public var height: Double

    /// A part of the platen.
    public init(x: Double, y: Double, width: Double, height: Double) {
        self.x = x
        self.y = y
        self.width = width
        self.height = height
    }

    /// Reads `x,y,width,height`; nil for any other text, and for an impossible area.
    public init?(_ text: String) {
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false)
            .map { Double($0.filter { $0 != " " }) }
        guard numbers.count == 4, let x = numbers[0], let y = numbers[1], let width = numbers[2],
            let height = numbers[3], [x, y, width, height].allSatisfy(\.isFinite),
            x >= 0, y >= 0, width > 0, height > 0
        else { return nil }
        self.init(x: x, y: y, width: width, height: height)
    }
}
