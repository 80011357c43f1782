import HTTPClient

/// A named sink, as its owner described it: its kind, its address and its credentials.
///
/// Settings that the kind does not use stay nil. ``check()`` finds missing and wrong ones.
public struct SinkDefinition: Codable, Hashable, Sendable {
    /// The form of a webhook's request.
    public enum Form: String, Codable, Hashable, Sendable, CaseIterable {
        /// `multipart/form-data`: `document` is the file, `metadata` the data as JSON.
        case multipart
        /// The data as JSON, with the text of the pages and without the file.
        case json
        /// The file as the request's body, with `PUT`.
        case put
    }

    /// The kind of sink.
    public var kind: Kind
    /// The service's address, for remote kinds.
    public var url: String?
    /// A secret that is sent in the header `Authorization`, as `Token …` to paperless and as
    /// `Bearer …` to all others.
    public var token: String?
    /// A user name for HTTP's basic authentication.
    public var user: String?
    /// The user's password.
    public var password: String?
    /// Further headers of every request.
    public var headers: [String: String]?
    /// The form of a webhook's request; `multipart` by default.
    public var form: Form?
    /// The ending of the file that is made of the document, such as `pdf`; the kind's own when
    /// absent.
    public var format: String?
    /// The maximum number of pixels in a picture's longer side, for picture formats; nil to leave
    /// pictures unchanged.
    public var largestSide: Int?
    /// Further values, by the names that the kind's settings have.
    public var parameters: [String: String]?
    /// Places in the service's JSON answer whose values complete the document's data, by the data's
    /// name: `"price": "prices.market"`.
    public var fields: [String: String]?
    /// True when a document waits until all before it have been delivered to this sink.
    public var isOrdered: Bool?
    /// The program and its arguments, for `exec`; `{}` stands for the document's path, which comes
    /// last if no argument contains it.
    public var command: [String]?
    /// The names of environment variables that a program gets in addition to the usual ones.
    public var environment: [String]?
    /// Seconds a program may take, 1…86,400; 300 by default.
    public var timeLimit: Int?
    /// The path of `file`, such as `/home/ada/Scans/{year}/{date} {title}.pdf`; for `webdav` the
    /// name within the folder.
    public var template: String?

    /// A sink of a kind; everything else can be set afterward.
    public init(kind: Kind) { self.kind = kind }

    /// Throws for a missing or wrong setting.
    ///
    /// - Throws: ``DeliveryError`` `invalidOption`.
    public func check() throws(DeliveryError) {
        try checkSettings()
        if let url { _ = try WebAddress(sink: url, schemes: kind.schemes) }
        if kind.isWeb && token != nil && user != nil {
            throw DeliveryError(
                .invalidOption, "The sink has both a token and a user. Give only one of them.")
        }
        try kind.check(self)
        if let format { _ = try FileFormat(path: "document." + format) }
        if let timeLimit, !(1...86_400).contains(timeLimit) {
            throw DeliveryError(
                .invalidOption, "The time limit \(timeLimit) s is not within 1…86,400.")
        }
        try checkLargestSide()
        for path in (fields ?? [:]).values where path.isEmpty {
            throw DeliveryError(.invalidOption, "A field names no place in the answer.")
        }
    }

    /// Refuses settings that the kind does not know, and the lack of required ones.
    private func checkSettings() throws(DeliveryError) {
        for setting in kind.settings where setting.isNeeded && !setting.isGiven(in: self) {
            throw DeliveryError(
                .invalidOption,
                "A sink of the kind '\(kind.name)' needs \(setting.help): add \(setting.option)")
        }
        let known = Set(kind.settings.map(\.place))
        for place in SinkSetting.fixed where !known.contains(place) {
            let setting = SinkSetting(place, "")
            guard setting.isGiven(in: self) else { continue }
            throw DeliveryError(
                .invalidOption,
                "A sink of the kind '\(kind.name)' has no use for \(setting.option). Leave it out.")
        }
        let names = kind.settings.filter(\.isParameter).map(\.name)
        for (name, value) in (parameters ?? [:]).sorted(by: { $0.key < $1.key }) {
            guard let setting = kind.settings.first(where: { $0.place == .parameter(name) }) else {
                throw DeliveryError(
                    .invalidOption,
                    unknownName(name, what: "parameter of the kind '\(kind.name)'", names))
            }
            guard value.unicodeScalars.allSatisfy({ $0.value >= 32 && $0.value != 127 }) else {
                throw DeliveryError(
                    .invalidOption,
                    "The parameter '\(name)' has a control character. Give it in one line.")
            }
            guard setting.choices.isEmpty || setting.choices.contains(value) else {
                throw DeliveryError(
                    .invalidOption,
                    unknownName(value, what: "value of the parameter '\(name)'", setting.choices))
            }
        }
    }

    /// Checks that the program has a full path, and checks the variables that it gets.
    func checkProgram() throws(DeliveryError) {
        if let program = command?.first, !program.hasPrefix("/") {
            throw DeliveryError(
                .invalidOption,
                "The program '\(program)' must be given with its full path, such as /usr/local/bin/\(program)."
            )
        }
        for name in environment ?? [] { try checkVariable(name) }
    }

    private func checkVariable(_ name: String) throws(DeliveryError) {
        guard ProgramEnvironment.isName(name) else {
            throw DeliveryError(
                .invalidOption,
                "'\(name.prefix(100))' is not the name of an environment variable. Give the name alone, such as RCLONE_CONFIG."
            )
        }
        guard name != ProgramEnvironment.hostToken else {
            throw DeliveryError(
                .invalidOption,
                "\(name) is the key to another host, and no program gets it. Put what the program needs into a variable of its own."
            )
        }
    }

    private func checkLargestSide() throws(DeliveryError) {
        guard let largestSide else { return }
        guard (16...65_535).contains(largestSide) else {
            throw DeliveryError(
                .invalidOption,
                "The longest side is \(largestSide) pixels: give a number from 16 to 65,535."
            )
        }
        guard try FileFormat(path: "document." + fileFormat).isOneFileAPage else {
            throw DeliveryError(
                .invalidOption,
                "Only pictures can be made smaller, not a document in the format '\(fileFormat)': add --format jpg"
            )
        }
    }

    /// The default name of a document in a service's folder.
    var nameTemplate: NameTemplate { NameTemplate(template ?? "{date} {title}") }

    /// Checks the name of a document in a service's folder.
    func checkName() throws(DeliveryError) { try nameTemplate.check() }
}

extension SinkDefinition {
    /// The ending of the file that is made of the document.
    var fileFormat: String {
        if let format { return format }
        if kind == .file, let name = template, let dot = name.lastIndex(of: ".") {
            return String(name[name.index(after: dot)...])
        }
        return kind.format
    }
}
