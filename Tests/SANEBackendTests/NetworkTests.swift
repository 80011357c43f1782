import CaptureKit
import ContractSupport
import Glibc
import Testing

extension SANETests {
    /// A scanner of another machine: SANE's own network server on the loopback network.
    @Suite(.serialized) struct NetworkTests {
        /// An address of this test's own, for the port is always the same.
        private static let address = "127.66.5.66"

        /// SANE's server, which ends with this object.
        private final class Server {
            private let id: pid_t

            init(_ house: SANEHouse) throws {
                let variables = house.environment.map { "\($0)='\($1)'" }.joined(separator: " ")
                let program = access("/usr/sbin/saned", X_OK) == 0 ? "/usr/sbin/saned" : "saned"
                let started = try run(
                    "\(variables) \(program) -l -e -b \(address) >/dev/null 2>&1 & echo $!")
                let number = String(decoding: started.output, as: UTF8.self)
                id = try #require(Int32(number.filter { $0.isNumber }))
                // At most five seconds; the server answers within a few hundredths of one.
                for _ in 0..<500 {
                    if isReachable { return }
                    usleep(10_000)
                }
                throw ContractViolation("saned does not listen on \(address)")
            }

            deinit { kill(id, SIGKILL) }

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
            "Pixels over the network are those of scanimage at the device itself",
            arguments: [("Gray", 8), ("Gray", 16), ("Color", 8), ("Color", 16), ("Gray", 1)])
        func pixels(_ mode: String, _ depth: Int) async throws {
            let house = try SANEHouse.shared.get()
            let server = try Server(house)
            defer { withExtendedLifetime(server) {} }
            let file = try house.scanimage([
                "-d", "test:0", "--mode=\(mode)", "--depth=\(depth)", "--resolution=60",
                "--test-picture=Color pattern",
            ])
            let theirs = try #require(PNM(file))
            let device = try await house.open("net:\(NetworkTests.address):test:0")
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
            let house = try SANEHouse.shared.get()
            let server = try Server(house)
            defer { withExtendedLifetime(server) {} }
            let device = try await house.open("net:\(NetworkTests.address):fault:clean")
            _ = try await device.set("source", to: .text("feeder-duplex"))
            let sink = RecordingSink()
            try await device.capture(CaptureRequest(), into: sink)
            #expect(sink.frames.count == 10)
            #expect(
                try await device.options().first { $0.name == "cancels" }?.value == .integer(1))
            await device.close()
            let error = await #expect(throws: CaptureError.self) {
                _ = try await house.open("net:127.66.5.67:test:0")
            }
            #expect([.offline, .noSuchDevice].contains(error?.code))
        }
    }
}
