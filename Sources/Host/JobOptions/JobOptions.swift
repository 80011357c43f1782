/// All options of a job.
public enum JobOptions {
    /// The declarations, in the order of help; a test may add one for its own task.
    @TaskLocal public static var all =
        CapturingOptions.all + DocumentOptions.all + TextOptions.all + FileOptions.all
        + SplittingOptions.all

    /// The options that a job keeps.
    public static var kept: [JobOptionDeclaration] { all.filter { $0.effect == .own } }

    /// The options that a request to the HTTP API can have.
    public static var inRequests: [JobOptionDeclaration] { all.filter(\.isInRequests) }

    /// The options of a command, each with its form there.
    public static func of(
        _ command: JobCommand
    ) -> [(option: JobOptionDeclaration, argument: JobOptionArgument)] {
        all.compactMap { option in
            option.argument.flatMap { $0.commands.contains(command) ? (option, $0) : nil }
        }
    }

    /// The options that may not be given together with `--host`, which can't pass them on.
    public static func withoutHost(_ command: JobCommand) -> [JobOptionArgument] {
        of(command).filter { option, argument in
            command.continuesJob
                || option.reach == .thisMachine && option.effect == .own && !argument.goesWithHost
        }.map(\.argument)
    }
}
