/// Runs blocking work, such as waiting for a disk, a lock or a service, on a thread of its own,
/// outside the cooperative pool.
///
/// - Throws: the error of the work.
package func onOwnThread<Value: Sendable, Failure: Error>(
    _ work: @escaping @Sendable () throws(Failure) -> Value
) async throws(Failure) -> Value {
    try await OwnQueue(label: "copystand.blocking").run(work)
}
