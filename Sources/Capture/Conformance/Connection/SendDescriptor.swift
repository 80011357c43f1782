import CPosix
import Glibc

/// Sends a line with a descriptor; short lines go in one piece.
func sendDescriptor(_ socket: Int32, _ line: [UInt8], _ descriptor: Int32) {
    _ = line.withUnsafeBytes {
        cposix_send_descriptor(socket, $0.baseAddress, $0.count, descriptor)
    }
}

/// Runs a program without a connection and returns its exit status; nil when it can't be started or
/// does not end in time.
func statusByHand(_ program: String, within limit: Duration) -> Int32? {
    var ends: [Int32] = [-1, -1]
    guard cposix_pipe(&ends) == 0 else { return nil }
    defer { for end in ends { close(end) } }
    guard let name = strdup(program) else { return nil }
    defer { free(name) }
    var id = pid_t()
    var arguments: [UnsafeMutablePointer<CChar>?] = [name, nil]
    guard cposix_spawn_program(&arguments, environ, ends[1], ends[1], &id) == 0 else { return nil }
    _ = cposix_await_exit_for(id, Int32(limit / .milliseconds(1)))
    kill(-id, SIGKILL)
    var status: Int32 = -1
    var signal: Int32 = 0
    cposix_reap(id, &status, &signal)
    return signal == 0 ? status : nil
}
