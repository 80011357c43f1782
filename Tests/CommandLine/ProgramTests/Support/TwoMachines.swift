/// Two machines that know nothing of each other but an address: a home each.
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
