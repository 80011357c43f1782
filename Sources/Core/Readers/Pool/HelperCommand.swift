public import CaptureHost

/// How a reader's process is started: a program that speaks the reader protocol.
public struct HelperCommand: Hashable, Sendable {
    /// What the reader is called, such as `tesseract`.
    public var name: String
    /// The path of the program.
    public var program: String
    /// What its process may use.
    public var confinement: Confinement
    /// True when it needs Tesseract's data for the languages, which is checked before it is asked.
    public var usesTessdata: Bool

    /// A helper started as `program`, without arguments; Tesseract's unless named otherwise.
    public init(
        _ name: String = "tesseract", program: String, confinement: Confinement = Confinement(),
        usesTessdata: Bool = true
    ) {
        self.name = name
        self.program = program
        self.confinement = confinement
        self.usesTessdata = usesTessdata
    }

    /// The installed `copystand-recognizer`.
    ///
    /// It is a separate program, so that only reading text takes the time to load the engine and
    /// the forty libraries that it needs. It can change nothing, and has no network.
    public static let installed = HelperCommand(
        program: InstalledProgram.path("copystand-recognizer"),
        confinement: Confinement(memory: 6 << 30, isReadOnly: true, hasNetwork: false))
}
