import Suggestions

/// A kind of sink, declared once: command-line help, profile checks and forms come from this.
public struct SinkKind: Sendable {
    /// The kind's name in a profile, such as `file`.
    public let name: String
    /// A sentence that describes the kind.
    public let summary: String
    /// The form of a target, such as "a path ending in .pdf, …".
    public let target: String
    /// The options of the kind.
    public let options: [SinkOption]
    private let build: @Sendable (String, [String: Int]) throws -> any Sink

    /// A kind of sink.
    ///
    /// - Parameter build: Makes a sink for a target; gets a value for every option, checked.
    public init(
        name: String, summary: String, target: String, options: [SinkOption],
        build: @escaping @Sendable (String, [String: Int]) throws -> any Sink
    ) {
        self.name = name
        self.summary = summary
        self.target = target
        self.options = options
        self.build = build
    }

    /// A sink of this kind.
    ///
    ///     try SinkCatalog.kind("file").sink(to: "May.pdf", options: ["jpeg-quality": 60])
    ///
    /// - Parameters:
    ///   - target: the target, in the kind's own form.
    ///   - values: the values by option name; a missing one has its default.
    /// - Throws: ``DeliveryError``: `invalidOption` for an unknown name or a value out of range,
    ///   and what the sink itself refuses.
    public func sink(to target: String, options values: [String: Int] = [:]) throws -> any Sink {
        var complete: [String: Int] = [:]
        for option in options { complete[option.name] = option.defaultValue }
        for (name, value) in values.sorted(by: { $0.key < $1.key }) {
            guard let option = options.first(where: { $0.name == name }) else {
                throw DeliveryError(
                    .invalidOption,
                    unknownName(
                        name, what: "option of the sink '\(self.name)'", options.map(\.name)))
            }
            guard option.range.contains(value) else {
                throw DeliveryError(
                    .invalidOption,
                    "The option '\(name)' of the sink '\(self.name)' cannot be \(value): "
                        + "choose \(option.range.lowerBound) to \(option.range.upperBound).")
            }
            complete[name] = value
        }
        return try build(target, complete)
    }
}

/// An option of a kind of sink: a whole number.
public struct SinkOption: Hashable, Sendable {
    /// The option's name, such as `jpeg-quality`.
    public let name: String
    /// A sentence that describes the option.
    public let summary: String
    /// The allowed values.
    public let range: ClosedRange<Int>
    /// The default value.
    public let defaultValue: Int

    /// An option.
    public init(name: String, summary: String, range: ClosedRange<Int>, defaultValue: Int) {
        self.name = name
        self.summary = summary
        self.range = range
        self.defaultValue = defaultValue
    }
}

/// The error for an unknown name, with the nearest known one.
func unknownName(_ name: String, what: String, _ known: [String]) -> String {
    let list = known.joined(separator: ", ")
    let hint = didYouMean(name, among: known).map { $0 + " " } ?? ""
    return "There is no \(what) called '\(name)'. \(hint)Known: \(list)."
}
