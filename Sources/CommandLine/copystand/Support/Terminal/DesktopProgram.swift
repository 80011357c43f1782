import Delivery
import FoundationEssentials
import Glibc

/// A program of the desktop, found in PATH.
struct DesktopProgram {
    private let name: String

    init(_ name: String) { self.name = name }

    /// Runs the program, with `posix_spawnp(3)` and never through a shell, and waits for its end.
    ///
    /// - Throws: ``OutputFailure``.
    func run(_ arguments: [String]) throws {
        var words = ([name] + arguments).map { strdup($0) } + [nil]
        let environment = ProgramEnvironment.allowed(
            of: ProcessInfo.processInfo.environment, and: ProgramEnvironment.desktop)
        var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
        defer { (words + variables).forEach { free($0) } }
        var child: pid_t = 0
        let failure = posix_spawnp(&child, name, nil, nil, &words, &variables)
        guard failure == 0 else {
            throw OutputFailure(
                message: failure == ENOENT
                    ? "\(name) is not installed. Install xdg-utils, or open it yourself: \(arguments.joined(separator: " "))"
                    : "\(name) can't be started: \(String(cString: strerror(failure)))")
        }
        var status: Int32 = 0
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
        guard status == 0 else {
            throw OutputFailure(
                message:
                    "\(name) could not open '\(arguments.joined(separator: " "))' (exit status \((status >> 8) & 0xFF)). "
                    + "Open it yourself, or choose a program for it.")
        }
    }
}
