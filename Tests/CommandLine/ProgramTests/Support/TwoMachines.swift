/// Two machines that know only each other's address, each with its own home.
class TwoMachines {
    /// Where the host runs.
    let there: TemporaryFolder
    /// Where its client runs.
    let here: TemporaryFolder

    init() throws {
        there = try TemporaryFolder()
        here = try TemporaryFolder()
    }
}
