import CaptureKit

/// Enlarges the pipes through which drivers' readers pass their data.
///
/// Many drivers read from the device in a thread or process of their own. With a pipe of the usual
/// 64 KB, reader and backend wake each other thousands of times for a large page. If they run on
/// different cores, that takes longer than moving the data. Few drivers report their pipe
/// (`sane_get_select_fd`), so it is searched for.
enum DriverPipes {
    /// Linux's limit for pipes where no administrator has changed it, in bytes
    /// (`/proc/sys/fs/pipe-max-size`).
    private static let size: Int32 = 1 << 20
    /// Standard input, output and error, and the connection to the host are not the driver's.
    private static let firstOfDriver: Int32 = 4

    /// Enlarges every pipe that a driver has open to the size that any process may ask for.
    ///
    /// Other files, and pipes at the system's limit, stay unchanged: only the speed depends on it.
    static func widen() {
        for name in folderNames("/proc/self/fd") {
            if let descriptor = Int32(name), descriptor >= firstOfDriver {
                widenPipe(descriptor, to: size)
            }
        }
    }
}
