import CPosix

/// Asks for this capacity of a pipe in bytes (fcntl(2) F_SETPIPE_SZ); false for a file that is not
/// a pipe, or where the system does not allow this capacity.
@discardableResult package func widenPipe(_ descriptor: Int32, to bytes: Int32) -> Bool {
    cposix_widen_pipe(descriptor, bytes) >= 0
}
