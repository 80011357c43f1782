package import ScanService

/// What is asked for: by a command line, and by the web page and `--host` as the body of
/// `POST /api/v1/jobs`.
///
/// A nil value is left to the host.
package struct ScanRequest: Codable, Sendable {
    /// How a camera is watched.
    package struct Watch: Codable, Sendable {
        /// True to capture only by hand.
        package var manual: Bool?
        /// Seconds without a new page after which it ends.
        package var idle: Double?
        /// When pages are taken as stills, as `LiveOptions.Stills` names it.
        package var stills: String?
        /// The part of the picture that is the page.
        package var region: LiveRegion?

        /// The names in its JSON.
        package enum CodingKeys: String, CodingKey, CaseIterable {
            case manual, idle, stills, region
        }

        /// A watch.
        package init(manual: Bool? = nil, idle: Double? = nil, stills: String? = nil) {
            (self.manual, self.idle, self.stills) = (manual, idle, stills)
        }

        /// Reads it; an unknown name is refused.
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
    /// Options of the device, as they were typed.
    package var settings: DeviceSettings?
    /// The most pages, 1…1,000,000.
    package var pages: Int?
    package var languages: [String]?
    package var title: String?
    /// The sinks' names; nil for the profile's, else the archive.
    package var sinks: [String]?
    /// Changes to the profile's steps, as `step.option` with its value.
    package var steps: [String: String]?
    package var omittedSteps: [String]?
    package var waitsForPaper: Bool?
    package var asksForMore: Bool?
    package var watch: Watch?
    /// Files that were uploaded, which are scanned without a device.
    package var uploads: [String]?
    /// Where a batch is split into documents.
    package var splitAt: [String]?
    package var splitPages: SplitPages?
    package var pdf: PDFRequest?
    /// How long a page of a file may take to be read, in seconds, 1…86,400.
    package var pageTimeout: Double?

    /// The names in its JSON.
    package enum CodingKeys: String, CodingKey, CaseIterable {
        case device, profile, common, settings, pages, languages, title, sinks, steps, omittedSteps,
            waitsForPaper, asksForMore, watch, uploads, splitAt, splitPages, pdf, pageTimeout
    }

    /// A request that leaves everything to the host.
    package init() {}

    /// Reads it; an unknown name is refused.
    package init(from decoder: any Decoder) throws {
        try checkKeys(of: decoder, CodingKeys.self)
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        device = try fields.decodeIfPresent(String.self, forKey: .device)
        profile = try fields.decodeIfPresent(String.self, forKey: .profile)
        common = try fields.decodeIfPresent(CommonSettings.self, forKey: .common)
        settings = try fields.decodeIfPresent(DeviceSettings.self, forKey: .settings)
        pages = try fields.decodeIfPresent(Int.self, forKey: .pages)
        languages = try fields.decodeIfPresent([String].self, forKey: .languages)
        title = try fields.decodeIfPresent(String.self, forKey: .title)
        sinks = try fields.decodeIfPresent([String].self, forKey: .sinks)
        steps = try fields.decodeIfPresent([String: String].self, forKey: .steps)
        omittedSteps = try fields.decodeIfPresent([String].self, forKey: .omittedSteps)
        waitsForPaper = try fields.decodeIfPresent(Bool.self, forKey: .waitsForPaper)
        asksForMore = try fields.decodeIfPresent(Bool.self, forKey: .asksForMore)
        watch = try fields.decodeIfPresent(Watch.self, forKey: .watch)
        uploads = try fields.decodeIfPresent([String].self, forKey: .uploads)
        splitAt = try fields.decodeIfPresent([String].self, forKey: .splitAt)
        splitPages = try fields.decodeIfPresent(SplitPages.self, forKey: .splitPages)
        pdf = try fields.decodeIfPresent(PDFRequest.self, forKey: .pdf)
        pageTimeout = try fields.decodeIfPresent(Double.self, forKey: .pageTimeout)
    }
}
