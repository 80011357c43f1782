import Suggestions

/// A kind of sink, declared once: command-line help, profile checks and forms come from this.
public struct SinkKind: Sendable {
    /// What it is called in a profile, such as `file`.
    public let name: String
    /// What it does, in one sentence.
    public let summary: String
    /// What its target is, such as "a path ending in .pdf, …".
    public let target: String
    /// The options it takes.
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
    ///   - target: Where to, in the kind's own terms.
    ///   - values: Values by option name; what is not given has its default.
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
    /// What it is called, such as `jpeg-quality`.
    public let name: String
    /// What it does, in one sentence.
    public let summary: String
    /// The values it takes.
    public let range: ClosedRange<Int>
    /// Its value when none is given.
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
