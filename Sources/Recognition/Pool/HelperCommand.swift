/// How a helper process is started.
///
/// The program must hand over to ``RecogniserHelper/run()`` when it finds the arguments; the host's own does for
/// `recogniser-helper`.
public struct HelperCommand: Hashable, Sendable {
    /// The path of the program.
    public var program: String
    /// The arguments after the program's name.
    public var arguments: [String]

    /// A helper started as `program` with `arguments`.
    public init(program: String, arguments: [String]) {
        self.program = program
        self.arguments = arguments
    }

    /// The running program itself with the hidden argument `recogniser-helper`.
    ///
    /// `/proc/self/exe` stays right when the program's file is replaced while it runs.
    public static let itself = HelperCommand(
        program: "/proc/self/exe", arguments: ["recogniser-helper"])
}
