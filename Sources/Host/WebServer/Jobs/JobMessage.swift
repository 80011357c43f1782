import FileNames

/// A sentence about a job: its English text, and its parts for other languages.
struct JobMessage: Encodable, Sendable {
    /// The code of a sentence.
    enum Code: String, Encodable, CaseIterable {
        case starting, scanning, importing, watching, waitingForDevice, waitingForPaper
        case turningStack, another, goingOn, writing, stopped
        case completed, adjusted, unevenCollation, fileGone, fileChanged
    }

    /// The code of the sentence.
    let code: Code
    /// The message's values, by name.
    let values: [String: String]

    /// A sentence, by default without values; a file appears only by its name.
    init(_ code: Code, _ values: [String: String] = [:]) {
        self.code = code
        self.values = values.mapValues(PlaceNames.name)
    }

    /// A sentence about that many pages.
    static func counted(_ code: Code, _ pages: Int) -> JobMessage {
        JobMessage(code, ["pages": String(pages)])
    }

    /// The message in English.
    var text: String {
        let value = { (name: String) in values[name] ?? "" }
        let pages = value("pages") == "1" ? "1 page" : "\(value("pages")) pages"
        return switch code {
        case .starting: "Starting"
        case .scanning: "Scanning with \(value("device"))"
        case .importing: "Importing \(value("device"))"
        case .watching: "Watching \(value("device"))"
        case .waitingForDevice:
            "Waiting for \(value("device")), which is in use by \(value("user"))"
        case .waitingForPaper: "Put paper into the feeder"
        case .turningStack: "Turn the stack of \(value("sheets")) sheets over and put it back"
        case .another: "\(pages) so far: put the next sheet in, or finish"
        case .goingOn: "Continuing after \(pages)"
        case .writing: "Writing a document of \(pages)"
        case .stopped: "Stopped after \(pages)"
        case .completed: pages
        case .adjusted:
            "\(value("option")) is \(value("got")) instead of \(value("asked")), the nearest value that the device has."
        case .unevenCollation:
            "There are \(value("fronts")) fronts and \(value("backs")) backs: check whether sheets were fed together."
        case .fileGone: "\(value("file")) is gone, so the document gets a name of its own."
        case .fileChanged: "\(value("file")) was changed, so the document gets a name of its own."
        }
    }

    /// The schema of the JSON.
    static let schema = Schema.record([
        "code": .string(choices: Code.allCases.map(\.rawValue)), "values": .dictionary(.string()),
    ])
}
