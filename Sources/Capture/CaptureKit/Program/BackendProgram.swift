import CPosix
import Dispatch
import Glibc

/// The main function of a backend program.
///
///     // main.swift
///     BackendProgram.run(name: "Lamp scanners", version: "1.0", backend: LampBackend())
///
/// The host starts the program with a socket on file descriptor 3 and ends it by closing the
/// socket. The host's log gets every line that the program writes to its standard output and error.
public enum BackendProgram {
    /// Serves `backend` to the host that started this program, until the host goes away.
    ///
    /// Requests are read on a separate thread. Each runs as a task, and requests to one device run
    /// in order. When the host is gone, running captures are canceled, open devices closed, and the
    /// program exits with status 0. The status is 1 if the host breaks the protocol. Without that
    /// socket, as when started by hand, the program reports this and exits with status 2; in a
    /// debugger, it connects to the host that waits at `COPYSTAND_ATTACH`.
    ///
    /// - Parameters:
    ///   - name: the backend's name for people.
    ///   - version: the backend's version, such as "1.0".
    ///   - backend: the backend to serve.
    public static func run(name: String, version: String, backend: any CaptureBackend) -> Never {
        let socket = connection(of: "\(name) \(version)")
        // Programs that the backend starts must not keep the connection open, and writing to a
        // closed connection must not kill the backend.
        _ = fcntl(socket.raw, F_SETFD, FD_CLOEXEC)
        signal(SIGPIPE, SIG_IGN)
        // glibc would keep a part of each page's freed memory for each thread.
        cposix_map_blocks_from(1 << 20)
        // The host has died. Closing the devices may take as long as a host would wait.
        signal(SIGHUP) { _ in _ = alarm(2) }
        let server = BackendServer(
            socket: socket, name: name, version: version, backend: backend)
        startThread("capture-requests") {
            do throws(WireError) {
                try server.run()
                exit(0)
            } catch {
                complain("the host's message can't be read: \(error.message)\n")
                exit(1)
            }
        }
        // The main thread stays free for libraries that need it; any other thread just waits.
        if cposix_is_main_thread() == 1 { dispatchMain() }
        while true { pause() }
    }

    /// The connection to the host: descriptor 3, or a connection to the host that waits for a
    /// debugger.
    private static func connection(of backend: String) -> OwnedDescriptor {
        if let path = getenv("COPYSTAND_ATTACH").map({ String(cString: $0) }), !path.isEmpty {
            guard let socket = UnixAddress.socket(), let address = UnixAddress(path),
                address.connect(socket)
            else {
                complain("no host waits at COPYSTAND_ATTACH=\(path): \(systemMessage())\n")
                exit(2)
            }
            return socket
        }
        guard cposix_is_socket(3) == 1 else {
            let text = """
                \(backend): a Copystand backend. Copystand starts it when needed.
                Try: copystand backends

                """
            complain(text)
            exit(2)
        }
        return OwnedDescriptor(3)
    }
}

/// Writes to standard error, past any buffer.
private func complain(_ text: String) {
    var text = text
    text.withUTF8 { _ = Glibc.write(2, $0.baseAddress, $0.count) }
}
