package import JobOptions
package import ScanService

/// A request for a scan, from a command line, the web page or `--host`; the body of `POST
/// /api/v1/jobs`.
///
/// The host decides about settings that are nil.
package struct ScanRequest: Codable, Sendable {
    /// The settings for watching a camera.
    package struct Watch: Codable, Sendable {
        /// True to capture only by hand.
        package var manual: Bool?
        /// The seconds without a new page after which the watch ends; nil for no limit.
        package var idle: Double?
        /// The mode for stills, a word of `LiveOptions.Stills`.
        package var stills: String?
        /// The part of the picture with the page; nil for none.
        package var region: LiveRegion?

        /// The names in its JSON.
        package enum CodingKeys: String, CodingKey, CaseIterable {
            case manual, idle, stills, region
        }

        /// A watch.
        package init(manual: Bool? = nil, idle: Double? = nil, stills: String? = nil) {
            (self.manual, self.idle, self.stills) = (manual, idle, stills)
        }

        /// Reads the settings; refuses unknown names.
        package init(from decoder: any Decoder) throws {
            try checkKeys(of: decoder, CodingKeys.self)
            let fields = try decoder.container(keyedBy: CodingKeys.self)
            manual = try fields.decodeIfPresent(Bool.self, forKey: .manual)
            idle = try fields.decodeIfPresent(Double.self, forKey: .idle)
            stills = try fields.decodeIfPresent(String.self, forKey: .stills)
            region = try fields.decodeIfPresent(LiveRegion.self, forKey: .region)
        }
    }

    /// The device's id or alias; nil for the default one.
    package var device: String?
    /// The profile's name; nil for `document`.
    package var profile: String?
    package var common: CommonSettings?
    /// The options of the device, as a user typed them.
    package var settings: DeviceSettings?
    /// The names of the sinks; nil for the profile's sinks, or else the archive.
    package var sinks: [String]?
    /// Changes to the profile's steps, as `step.option` with its value.
    package var steps: [String: String]?
    package var omittedSteps: [String]?
    package var watch: Watch?
    /// The names of uploaded files, which are scanned without a device.
    package var uploads: [String]?
    package var pdf: PDFRequest?
    /// The options of the job.
    ///
    /// The JSON has those that a request can have beside the other members.
    package var options = JobSettings()

    /// The names in its JSON, besides those of options.
    package enum CodingKeys: String, CodingKey, CaseIterable {
        case device, profile, common, settings, sinks, steps, omittedSteps, watch, uploads, pdf
    }

    /// All names in its JSON.
    package static var names: [String] {
        CodingKeys.allCases.map(\.stringValue) + JobOptions.inRequests.map(\.name)
    }

    /// A request without settings, which leaves all of them to the host.
    package init() {}

    /// Reads the request; refuses unknown names.
    package init(from decoder: any Decoder) throws {
        try checkKeys(of: decoder, Self.names)
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        device = try fields.decodeIfPresent(String.self, forKey: .device)
        profile = try fields.decodeIfPresent(String.self, forKey: .profile)
        common = try fields.decodeIfPresent(CommonSettings.self, forKey: .common)
        settings = try fields.decodeIfPresent(DeviceSettings.self, forKey: .settings)
        sinks = try fields.decodeIfPresent([String].self, forKey: .sinks)
        steps = try fields.decodeIfPresent([String: String].self, forKey: .steps)
        omittedSteps = try fields.decodeIfPresent([String].self, forKey: .omittedSteps)
        watch = try fields.decodeIfPresent(Watch.self, forKey: .watch)
        uploads = try fields.decodeIfPresent([String].self, forKey: .uploads)
        pdf = try fields.decodeIfPresent(PDFRequest.self, forKey: .pdf)
        options = try JobSettings(request: decoder)
    }

    /// Writes the request, without options that only the own machine has.
    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: CodingKeys.self)
        try fields.encodeIfPresent(device, forKey: .device)
        try fields.encodeIfPresent(profile, forKey: .profile)
        try fields.encodeIfPresent(common, forKey: .common)
        try fields.encodeIfPresent(settings, forKey: .settings)
        try fields.encodeIfPresent(sinks, forKey: .sinks)
        try fields.encodeIfPresent(steps, forKey: .steps)
        try fields.encodeIfPresent(omittedSteps, forKey: .omittedSteps)
        try fields.encodeIfPresent(watch, forKey: .watch)
        try fields.encodeIfPresent(uploads, forKey: .uploads)
        try fields.encodeIfPresent(pdf, forKey: .pdf)
        try options.encode(request: encoder)
    }
}
