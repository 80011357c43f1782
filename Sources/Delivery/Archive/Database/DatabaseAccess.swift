/// Hands out connections to an archive's database.
protocol DatabaseAccess: Sendable {
    /// Runs `body` with a connection that no other thread uses meanwhile.
    func access<Value: Sendable>(
        _ body: (any ArchiveDatabase) throws -> Value
    ) throws -> Value
}
