import CaptureHost
import CaptureKit
import ContractSupport
import FoundationEssentials
import Glibc
import Synchronization
import Testing

extension SANETests {
    /// Tests a scanner of another machine, with SANE's own network server on the loopback network.
    @Suite(.serialized) struct NetworkTests {
        /// An address that only this test uses, since the port is always the same.
        private static let address = "127.66.5.66"

        /// SANE's server, which ends with this object.
        private final class Server {
            private let id: pid_t

            init(_ setup: SANESetup) throws {
                let variables = setup.environment.map { "\($0)='\($1)'" }.joined(separator: " ")
                let program = access("/usr/sbin/saned", X_OK) == 0 ? "/usr/sbin/saned" : "saned"
                let started = try run(
                    "\(variables) setsid \(program) -l -e -b \(address) >/dev/null 2>&1 & echo $!")
                let number = String(decoding: started.output, as: UTF8.self)
                id = try #require(Int32(number.filter { $0.isNumber }))
                // The server answers within a few hundredths of a second; the limit is five
                // seconds.
                for _ in 0..<500 {
                    if isReachable { return }
                    usleep(10_000)
                }
                throw ContractViolation("saned does not listen on \(address)")
            }

            deinit { stop() }

            /// Kills the server with the processes that serve its clients.
            func stop() {
                kill(-id, SIGKILL)
                kill(id, SIGKILL)
                // The next server must not be mistaken for this one. The wait is at most five
                // seconds.
                for _ in 0..<500 where isReachable { usleep(10_000) }
            }

            private var isReachable: Bool {
                let socket = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
                defer { close(socket) }
                var place = sockaddr_in()
                place.sin_family = sa_family_t(AF_INET)
                place.sin_port = in_port_t(6566).bigEndian
                place.sin_addr.s_addr = inet_addr(address)
                return withUnsafePointer(to: &place) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        connect(socket, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                    }
                }
            }
        }

        @Test(
            "Network pages have the same pixels as scanimage's at the device itself",
            arguments: [("Gray", 8), ("Gray", 16), ("Color", 8), ("Color", 16), ("Gray", 1)])
        func pixels(_ mode: String, _ depth: Int) async throws {
            let setup = try SANESetup.shared.get()
            let server = try Server(setup)
            defer { withExtendedLifetime(server) {} }
            let file = try setup.scanimage([
                "-d", "test:0", "--mode=\(mode)", "--depth=\(depth)", "--resolution=60",
                "--test-picture=Color pattern",
            ])
            let theirs = try #require(PNM(file))
            let device = try await setup.open("net:\(NetworkTests.address):test:0")
            #expect(device.descriptor?.connection == "network (\(NetworkTests.address))")
            for (name, value) in [
                ("sane-mode", .text(mode)), ("depth", .integer(depth)),
                ("resolution", .integer(60)), ("test-picture", .text("Color pattern")),
            ] as [(String, OptionValue)] {
                _ = try await device.set(name, to: value)
            }
            let sink = RecordingSink()
            try await device.capture(CaptureRequest(), into: sink)
            await device.close()
            let ours = try #require(sink.frames.first)
            #expect(ours.description.format == theirs.format)
            expectEqual(ours.bytes, theirs.bytes)
        }

        @Test(
            "The feeder of another machine gives its pages, and a wrong host says that it does not answer"
        )
        func feeder() async throws {
            let setup = try SANESetup.shared.get()
            let server = try Server(setup)
            defer { withExtendedLifetime(server) {} }
            let device = try await setup.open("net:\(NetworkTests.address):fault:clean")
            _ = try await device.set("source", to: .text("feeder-duplex"))
            let sink = RecordingSink()
            try await device.capture(CaptureRequest(), into: sink)
            #expect(sink.frames.count == 10)
            #expect(
                try await device.options().first { $0.name == "cancels" }?.value == .integer(1))
            await device.close()
            let error = await #expect(throws: CaptureError.self) {
                _ = try await setup.open("net:127.66.5.67:test:0")
            }
            #expect([.offline, .noSuchDevice].contains(error?.code))
        }

        private struct Run {
            var pages = 0
            var error: HostError?
        }

        /// Scans from the feeder of a shared scanner with the backend program.
        private func scan(
            _ host: CaptureHost, _ state: TemporaryFolder, _ device: String, from number: Int,
            _ begun: (Int) -> Void = { _ in }
        ) async throws -> Run {
            var run = Run()
            do {
                let name = "net:\(NetworkTests.address):\(device)"
                let open = try await host.open(
                    ListedDevice(
                        backend: "sane",
                        descriptor: DeviceDescriptor(id: name, name: name, kind: .scanner)))
                do {
                    _ = try await open.set("source", to: .text("feeder"))
                    let spool = SpoolFolder(path: state.path, firstNumber: number)
                    for try await event in open.capture(CaptureRequest(), spool: spool) {
                        switch event {
                        case .began(let page, _): begun(page)
                        case .page: run.pages += 1
                        default: break
                        }
                    }
                } catch let error as HostError { run.error = error }
                await open.close()
            } catch let error as HostError {
                run.error = error
            }
            return run
        }

        @Test(
            "A shared scanner gets its password only from a private file",
            arguments: [
                ("me:secret:net:\(address)", 0o600, nil), ("me:secret", 0o600, nil),
                ("me:wrong:net:\(address)", 0o600, .passwordNeeded),
                ("other:secret", 0o600, .passwordNeeded),
                ("me:secret:net:elsewhere", 0o600, .passwordNeeded),
                ("me:secret", 0o644, .passwordNeeded), (nil, 0o600, .passwordNeeded),
            ] as [(String?, Int, CaptureError.Code?)])
        func password(_ line: String?, _ mode: Int, _ code: CaptureError.Code?) async throws {
            let setup = try SANESetup.shared.get()
            let server = try Server(setup)
            defer { withExtendedLifetime(server) {} }
            let state = try TemporaryFolder()
            mkdir(state.file("copystand"), 0o700)
            let path = state.file("copystand/sane-passwords")
            if let line {
                try Data("\(line)\n".utf8).write(to: URL(filePath: path))
                chmod(path, mode_t(mode))
            }
            let log = Log()
            let host = try setup.host(state, extra: ["XDG_CONFIG_HOME": state.path]) {
                $0.log = { log.add($0.text) }
            }
            let run = try await scan(host, state, "fault:locked", from: 1)
            #expect(run.error?.code == code.map { HostError.Code($0) })
            #expect(run.pages == (code == nil ? 5 : 0))
            if code != nil { #expect(run.error?.advice?.contains(path) == true) }
            // Logs and messages never contain a password.
            #expect(!log.text.contains("secret"))
            if mode == 0o644 { #expect(log.text.contains("chmod 600")) }
            await host.shutdown()
        }

        private final class Log: Sendable {
            private let lines = Mutex<[String]>([])
            func add(_ line: String) { lines.withLock { $0.append(line) } }
            var text: String { lines.withLock { $0.joined(separator: "\n") } }
        }

        @Test(
            "A network that goes away in the middle of page 3 keeps two pages, and the scanner is usable again with it"
        )
        func cut() async throws {
            let setup = try SANESetup.shared.get()
            let server = try Server(setup)
            let state = try TemporaryFolder()
            let host = try setup.host(state)
            let broken = try await scan(host, state, "fault:slow-3", from: 1) { page in
                if page == 3 { server.stop() }
            }
            #expect(broken.pages == 2)
            // Sometimes SANE's network driver itself crashes then, which gives another error.
            #expect([.crashed, HostError.Code(.inputOutput)].contains(broken.error?.code))
            #expect(broken.error?.advice?.isEmpty == false)
            let again = try Server(setup)
            let whole = try await scan(host, state, "fault:clean", from: 100)
            #expect(whole.error == nil)
            #expect(whole.pages == 5)
            await host.shutdown()
            withExtendedLifetime(again) {}
        }
    }
}
