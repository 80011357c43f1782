/// Two machines that know only each other's address, each with its own home.
class TwoMachines {
    /// The home folder of the host's machine.
    let there: TemporaryFolder
    /// The home folder of the client's machine.
    let here: TemporaryFolder

    init() throws {
        there = try TemporaryFolder()
        here = try TemporaryFolder()
    }
}
