/// The shells a completion script can be written for.
public enum Shell: String, CaseIterable, Sendable {
    /// GNU bash 4.4 or newer.
    case bash
    /// zsh 5 or newer, with its completion system loaded.
    case zsh
    /// fish 3 or newer.
    case fish

    /// The completion script for `root`.
    ///
    /// Values of ``Completion/dynamic(_:)`` are requested during typing by running `PROGRAM
    /// completions --values KIND`. It prints one value per line, followed by a tab and an optional
    /// description.
    public func completionScript(for root: Command) -> String {
        switch self {
        case .bash: BashCompletion(root).script
        case .zsh: ZshCompletion(root).script
        case .fish: FishCompletion(root).script
        }
    }
}
