/// An option of a job: its declaration, and the type of its value.
///
/// It is declared once, as a static property in a file of the folder `Options` whose list names it:
///
/// ```swift
/// extension JobOption<Bool> {
///     /// True if pages are turned upside down.
///     public static var upsideDown: Self {
///         Self(
///             "upsideDown", .flag, usual: false,
///             argument: JobOptionArgument(
///                 name: "upside-down", commands: [.scan, .import],
///                 help: "Turn all pages upside down."))
///     }
/// }
/// ```
///
/// From that come the option of `scan` and `import` with its help, completion and errors, its field
/// in a job's record, the member of a request to the HTTP API with its check (if its `reach` allows
/// it), the field of the web page (if it `isDrawn`), and a row of Docs/developers/JobOptions.md.
/// The job reads it as `order.options[.upsideDown]`.
public struct JobOption<Value: JobOptionStorable>: Sendable {
    /// What there is to know about the option.
    public let declaration: JobOptionDeclaration
    /// The value of an option that is not given.
    public let usual: Value

    /// Declares an option.
    ///
    /// - Parameters:
    ///   - name: the name in JSON.
    ///   - kind: the accepted values, which must fit `Value`.
    ///   - usual: the value of an option that is not given.
    ///   - recordName: the name in a job's record, if that is another.
    ///   - effect: what the option does.
    ///   - reach: who may set it through the HTTP API; nobody unless given.
    ///   - isDrawn: whether the web page draws a field for it; its words are `job.NAME`, and
    ///     `job.NAME.CHOICE` for each choice, in every `words-*.json`.
    ///   - rule: a rule for each of its texts.
    ///   - argument: its form on the command line.
    public init(
        _ name: String, _ kind: JobOptionKind, usual: Value, recordName: String? = nil,
        effect: JobOptionDeclaration.Effect = .own,
        reach: JobOptionDeclaration.Reach = .thisMachine, isDrawn: Bool = false,
        rule: JobOptionDeclaration.Rule? = nil, argument: JobOptionArgument? = nil
    ) {
        self.usual = usual
        declaration = JobOptionDeclaration(
            name: name, recordName: recordName ?? name, kind: kind, usual: usual.stored,
            effect: effect, reach: reach, isDrawn: isDrawn, rule: rule, argument: argument)
    }
}

extension JobOption where Value: JobOptionChoice {
    /// Declares a choice among all cases of its type; see the other initializer.
    public init(
        _ name: String, usual: Value, reach: JobOptionDeclaration.Reach = .thisMachine,
        isDrawn: Bool = false, argument: JobOptionArgument? = nil
    ) {
        self.init(
            name, .choice(Value.allCases.map(\.rawValue)), usual: usual, reach: reach,
            isDrawn: isDrawn, argument: argument)
    }
}
