import HTTPClient

/// A setting of a kind of named sinks; command line, API and the page's form ask for it.
public struct SinkSetting: Hashable, Sendable {
    /// The part of a ``SinkDefinition`` with the setting.
    public enum Place: Hashable, Sendable {
        case url, token, user, password, headers, form, command, environment, timeLimit, template
        /// One of the definition's `parameters`, by its name.
        case parameter(String)
    }

    /// The part of the definition with the setting.
    public let place: Place
    /// A phrase about the setting's purpose, without a period.
    public let help: String
    /// True when the kind can do nothing without it.
    public let isNeeded: Bool
    /// The values that the setting may have; empty for any.
    public let choices: [String]

    /// A setting.
    public init(_ place: Place, _ help: String, isNeeded: Bool = false, choices: [String] = []) {
        self.place = place
        self.help = help
        self.isNeeded = isNeeded
        self.choices = choices
    }

    /// A parameter, which is given as `--parameter NAME=VALUE`.
    public static func parameter(
        _ name: String, _ help: String, isNeeded: Bool = false, choices: [String] = []
    ) -> SinkSetting {
        SinkSetting(.parameter(name), help, isNeeded: isNeeded, choices: choices)
    }

    /// The name in the API and on the page, such as `url`; for a parameter its own name.
    public var name: String {
        if case .parameter(let name) = place { return name }
        return "\(place)"
    }

    /// True for a setting that is never shown again.
    public var isSecret: Bool { place == .token || place == .password }

    /// True for one of the definition's parameters.
    public var isParameter: Bool {
        if case .parameter = place { return true }
        return false
    }

    /// The option of `copystand sinks add`.
    public var option: String {
        switch place {
        case .url: "--url ADDRESS"
        case .token: "--token-file FILE"
        case .user: "--user NAME"
        case .password: "--password-file FILE"
        case .headers: "--header NAME=VALUE"
        case .form: "--form FORM"
        case .command: "--command WORD"
        case .environment: "--env NAME"
        case .timeLimit: "--time-limit SECONDS"
        case .template: "--template PATH"
        case .parameter(let name): "--parameter \(name)=VALUE"
        }
    }

    /// True if the definition has the setting.
    func isGiven(in sink: SinkDefinition) -> Bool {
        switch place {
        case .url: sink.url != nil
        case .token: sink.token != nil
        case .user: sink.user != nil
        case .password: sink.password != nil
        case .headers: sink.headers != nil
        case .form: sink.form != nil
        case .command: sink.command?.first?.isEmpty == false
        case .environment: sink.environment != nil
        case .timeLimit: sink.timeLimit != nil
        case .template: sink.template != nil
        case .parameter(let name): sink.parameters?[name] != nil
        }
    }

    /// All settings that are not parameters, for any kind.
    static let fixed: [Place] = [
        .url, .token, .user, .password, .headers, .form, .command, .environment, .timeLimit,
        .template,
    ]

    /// The name of a file in a folder of a service.
    static let fileName = SinkSetting(
        .template, "the file's name in the folder; '{date} {title}' unless given")

    /// The settings of every kind that speaks HTTP.
    static func web(_ address: String = "the service's address, https://host/path") -> [SinkSetting]
    {
        [
            SinkSetting(.url, address, isNeeded: true),
            SinkSetting(.token, "a secret that is sent as Authorization"),
            SinkSetting(.user, "the name to sign in with"),
            SinkSetting(.password, "the user's password"),
            SinkSetting(.headers, "a further header of every request"),
        ]
    }
}

extension SinkDefinition {
    /// The text of a setting; nil where it is missing, and for other settings.
    public subscript(_ setting: SinkSetting) -> String? {
        get {
            switch setting.place {
            case .url: url
            case .token: token
            case .user: user
            case .password: password
            case .template: template
            case .parameter(let name): parameters?[name]
            case .headers, .form, .command, .environment, .timeLimit: nil
            }
        }
        set {
            switch setting.place {
            case .url: url = newValue
            case .token: token = newValue
            case .user: user = newValue
            case .password: password = newValue
            case .template: template = newValue
            case .parameter(let name):
                let changed = (parameters ?? [:]).merging([name: newValue ?? ""]) { $1 }
                    .filter { !$0.value.isEmpty }
                parameters = changed.isEmpty ? nil : changed
            case .headers, .form, .command, .environment, .timeLimit: break
            }
        }
    }

    /// The texts that decide where this sink's secrets are sent: scheme, host and port of each
    /// address.
    public var origins: [String] {
        let addresses = [url] + ["token-url"].map { parameters?[$0] }
        return addresses.compactMap { $0 }.map { text in
            WebAddress.ifValid(text, schemes: kind.schemes + ["https", "http"])?.origin ?? text
        }
    }
}
