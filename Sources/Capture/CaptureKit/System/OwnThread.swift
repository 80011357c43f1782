import CPosix
import Glibc

/// Runs `body` on a new thread, for calls that block and must not hold up the cooperative pool.
///
/// The thread is detached (`pthread_create`).
///
/// - Precondition: the process may start another thread.
package func startThread(_ name: String, _ body: @escaping @Sendable () -> Void) {
    let box = Unmanaged.passRetained(ThreadBody(name: name, body: body))
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setdetachstate(&attributes, Int32(PTHREAD_CREATE_DETACHED))
    var thread = pthread_t()
    let failure = pthread_create(&thread, &attributes, threadMain, box.toOpaque())
    precondition(failure == 0, "no thread could be started: \(systemMessage(failure))")
}

private final class ThreadBody: Sendable {
    let name: String
    let body: @Sendable () -> Void

    init(name: String, body: @escaping @Sendable () -> Void) {
        self.name = name
        self.body = body
    }
}

private func threadMain(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    let box = Unmanaged<ThreadBody>.fromOpaque(argument).takeRetainedValue()
    cposix_name_thread(box.name)
    box.body()
    return nil
}
