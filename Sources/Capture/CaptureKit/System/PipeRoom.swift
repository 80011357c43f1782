import CPosix

/// Asks for room for this many bytes in a pipe (fcntl(2) F_SETPIPE_SZ); false for what is not a
/// pipe, and where the system allows no more.
@discardableResult package func widenPipe(_ descriptor: Int32, to bytes: Int32) -> Bool {
    cposix_widen_pipe(descriptor, bytes) >= 0
}
