import ExpectedFailures

// Decodes fields that a backend may omit on the wire, so that a simple backend can leave them out.

extension DeviceDescriptor {
    /// Reads a descriptor; all but `id`, `name` and `kind` may be absent.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: FieldName.self)
        let word = try fields.decodeIfPresent(String.self, forKey: "state")
        // A state that this host does not know can only mean that the device is not usable now.
        let state = word.map { DeviceState(rawValue: $0) ?? .offline } ?? .ready
        let isKnown = word.flatMap(DeviceState.init(rawValue:)) != nil || word == nil
        let advice = try fields.decodeIfPresent(String.self, forKey: "advice")
        self.init(
            id: try fields.decode(String.self, forKey: "id"),
            name: try fields.decode(String.self, forKey: "name"),
            vendor: try fields.decodeIfPresent(String.self, forKey: "vendor"),
            model: try fields.decodeIfPresent(String.self, forKey: "model"),
            kind: try fields.decode(DeviceKind.self, forKey: "kind"),
            connection: try fields.decodeIfPresent(String.self, forKey: "connection"),
            path: try fields.decodeIfPresent(String.self, forKey: "path"),
            format: try fields.decodeIfPresent(String.self, forKey: "format"),
            controls: try fields.decodeIfPresent([String].self, forKey: "controls") ?? [],
            sources: try fields.decodeIfPresent([String].self, forKey: "sources") ?? [],
            maximumArea: try fields.decodeIfPresent(AreaInMillimeters.self, forKey: "maximumArea"),
            state: state,
            advice: advice ?? (isKnown ? nil : "The device is '\(word?.prefix(60) ?? "")'."))
    }
}

extension AreaInMillimeters {
    /// Reads an area; refuses sides that no device has.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: FieldName.self)
        func side(_ name: FieldName) throws -> Double {
            let length = try fields.decode(Double.self, forKey: name)
            guard (0...1_000_000).contains(length) else {
                throw DecodingError.dataCorruptedError(
                    forKey: name, in: fields,
                    debugDescription: "\(length) mm is not within 0…1,000,000")
            }
            return length
        }
        self.init(width: try side("width"), height: try side("height"))
    }
}

extension DeviceOption {
    /// Reads an option; all but `name` and `type` may be absent.
    ///
    /// An option of an unknown type becomes a read-only text.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: FieldName.self)
        let name = try fields.decode(String.self, forKey: "name")
        let kind = try fields.decode(OptionType.KindOnly.self, forKey: "type").kind
        let isKnown = OptionType.kinds.contains(kind)
        func value(_ field: FieldName) throws -> OptionValue? {
            guard !isKnown else {
                return try fields.decodeIfPresent(OptionValue.self, forKey: field)
            }
            return ofKnownForm { try fields.decode(OptionValue.self, forKey: field) }?.asText
        }
        self.init(
            name: name,
            title: try fields.decodeIfPresent(String.self, forKey: "title") ?? name,
            help: try fields.decodeIfPresent(String.self, forKey: "help") ?? "",
            group: try fields.decodeIfPresent(String.self, forKey: "group"),
            type: isKnown
                ? try fields.decode(OptionType.self, forKey: "type") : .text(maximumLength: nil),
            unit: try fields.decodeIfPresent(OptionUnit.self, forKey: "unit"),
            defaultValue: try value("defaultValue"),
            value: try value("value"),
            isActive: try fields.decodeIfPresent(Bool.self, forKey: "isActive") ?? true,
            isReadOnly: try fields.decodeIfPresent(Bool.self, forKey: "isReadOnly") ?? false
                || !isKnown,
            isAdvanced: try fields.decodeIfPresent(Bool.self, forKey: "isAdvanced") ?? false,
            // A sensor of an unknown kind is an ordinary option.
            sensor: try fields.decodeIfPresent(String.self, forKey: "sensor").flatMap(
                OptionSensor.init(rawValue:)),
            hostPath: try fields.decodeIfPresent(Bool.self, forKey: "hostPath") ?? false)
    }

    /// Writes an option; `hostPath` only where it is true.
    public func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: FieldName.self)
        try fields.encode(name, forKey: "name")
        try fields.encode(title, forKey: "title")
        try fields.encode(help, forKey: "help")
        try fields.encodeIfPresent(group, forKey: "group")
        try fields.encode(type, forKey: "type")
        try fields.encodeIfPresent(unit, forKey: "unit")
        try fields.encodeIfPresent(defaultValue, forKey: "defaultValue")
        try fields.encodeIfPresent(value, forKey: "value")
        try fields.encode(isActive, forKey: "isActive")
        try fields.encode(isReadOnly, forKey: "isReadOnly")
        try fields.encode(isAdvanced, forKey: "isAdvanced")
        try fields.encodeIfPresent(sensor, forKey: "sensor")
        if hostPath { try fields.encode(true, forKey: "hostPath") }
    }
}

extension OptionValue {
    /// The value as text.
    fileprivate var asText: OptionValue {
        switch self {
        case .bool(let value): .text("\(value)")
        case .integer(let value): .text("\(value)")
        case .number(let value): .text("\(value)")
        case .text: self
        }
    }
}

extension OptionOutcome {
    /// Reads an outcome; both fields may be absent.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: FieldName.self)
        self.init(
            value: try fields.decodeIfPresent(OptionValue.self, forKey: "value"),
            reloadOptions: try fields.decodeIfPresent(Bool.self, forKey: "reloadOptions") ?? false)
    }
}

extension DeviceQuery {
    /// Reads a query; `quick` may be absent.
    public init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: FieldName.self)
        self.init(quick: try fields.decodeIfPresent(Bool.self, forKey: "quick") ?? false)
    }
}

/// The name of a JSON field.
private struct FieldName: CodingKey, ExpressibleByStringLiteral {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringLiteral value: String) { stringValue = value }
    init?(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
}
