public import Processes

/// The command for a reader's process: a program without arguments that speaks the reader protocol;
/// a Tesseract unless named otherwise.
public struct HelperCommand: Hashable, Sendable {
    /// The reader's name, such as `tesseract`.
    public var name = "tesseract"
    /// The path of the program.
    public var program: String
    /// The rights and limits of the process.
    public var confinement = Confinement()
    /// True when the reader needs Tesseract's data for the languages, which is checked before each
    /// question.
    public var usesTessdata = true

    /// The installed `copystand-recognizer`.
    ///
    /// The helper is a separate program, so that only reading text takes the time to load the
    /// engine and its forty libraries. It can change nothing, and has no network.
    public static let installed = HelperCommand(
        program: InstalledProgram.path("copystand-recognizer"),
        confinement: Confinement(memory: 6 << 30, isReadOnly: true, hasNetwork: false))
}
