import Glibc
import Synchronization

/// Reads a terminal's keys one by one, without echo, while a command needs them; Ctrl-C and Ctrl-Z
/// continue to work.
///
/// Code that ends the process must call ``restore()`` first: the mode belongs to the terminal and
/// outlives the program.
enum RawTerminal {
    private static let before = Mutex<termios?>(nil)

    /// Reads the keys of standard input, if it is a terminal whose keys go to this program.
    ///
    /// - Returns: false where nothing was changed.
    static func enter() -> Bool {
        before.withLock { before in
            var modes = termios()
            guard before == nil, isForeground, tcgetattr(0, &modes) == 0 else { return false }
            let saved = modes
            modes.c_lflag &= ~tcflag_t(ICANON | ECHO)
            guard tcsetattr(0, TCSANOW, &modes) == 0 else { return false }
            before = saved
            RawModes.wanted = modes
            RawModes.isWanted = true
            // A shell that resumes a stopped program has set its own modes meanwhile.
            var action = sigaction()
            action.__sigaction_handler.sa_handler = takeKeysAgain
            action.sa_flags = SA_RESTART
            sigaction(SIGCONT, &action, nil)
            return true
        }
    }

    /// Restores the terminal; does nothing a second time.
    static func restore() {
        before.withLock { before in
            guard var modes = before else { return }
            RawModes.isWanted = false
            tcsetattr(0, TCSANOW, &modes)
            before = nil
        }
    }

    /// True for a terminal whose keys this program gets; setting the modes of another stops the
    /// program.
    fileprivate static var isForeground: Bool { isatty(0) == 1 && tcgetpgrp(0) == getpgrp() }
}

/// The values that a signal handler reads, which may not take a lock.
///
/// `nonisolated(unsafe)`: written before the handler is installed, then only the flag, which is one
/// byte.
private enum RawModes {
    nonisolated(unsafe) static var wanted = termios()
    nonisolated(unsafe) static var isWanted = false
}

/// The handler of SIGCONT; `tcgetpgrp`, `getpgrp` and `tcsetattr` are safe in one.
private func takeKeysAgain(_ signal: Int32) {
    let saved = errno
    if RawModes.isWanted, tcgetpgrp(0) == getpgrp() { tcsetattr(0, TCSANOW, &RawModes.wanted) }
    errno = saved
}
