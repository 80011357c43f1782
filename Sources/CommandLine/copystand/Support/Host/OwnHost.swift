import CPosix
import Clocks
import ExpectedFailures
import FoundationEssentials
import Glibc
import HostClient
import WebServer

/// The host that serves this user on this machine.
struct OwnHost {
    /// The host's default address.
    static let address = "http://127.0.0.1:8470"

    /// `POSIX_SPAWN_SETSID`, a macro that Swift does not see.
    private static let newSession: Int16 = 0x80
    /// The time until a started host must answer; a slow disk takes some.
    private static let patience = Duration.seconds(20)

    private let address: String
    private let clock: ThreadClock

    /// - Parameter address: the address at which the host answers.
    init(address: String = Self.address, clock: ThreadClock = .system) {
        self.address = address
        self.clock = clock
    }

    /// Starts the host, unless it answers already.
    ///
    /// A host started by systemd reports only to systemd that it is ready, so this polls.
    ///
    /// - Throws: ``OutputFailure`` when it does not answer in time.
    func start() throws {
        if try answers() { return }
        if !hasService() { try begin() }
        // The time of day may be set meanwhile.
        let end = ContinuousClock.now + Self.patience
        while try !answers() {
            guard .now < end else {
                throw OutputFailure(
                    message:
                        "No host answers at \(address). Start one and see its output: copystand serve"
                )
            }
            clock.sleep(for: .milliseconds(100))
        }
    }

    private struct Health: Decodable {}

    private func answers() throws -> Bool {
        let host = try HostConnection(HostAddress(address), patience: 2)
        return ifSupported { try host.get("/health", as: Health.self) } != nil
    }

    private struct Session: Decodable {
        let isOpen: Bool
    }

    private struct Order: Encodable {
        let scope: AccessScope
    }

    private struct Code: Decodable {
        let code: String
    }

    /// The page's address, which signs in one browser if the host needs a token that this user may
    /// make.
    ///
    /// - Throws: ``HostFailure`` when the host does not answer, `UserFileError` or `DeliveryError`
    ///   when the user's tokens can't be read or written.
    func page(environment: [String: String]) throws -> String {
        let session: Session = try HostConnection(HostAddress(address)).get("/api/v1/session")
        guard !session.isOpen else { return address }
        let tokens = try AccessTokens.standard(environment: environment)
        let name = "copystand open \(getpid())"
        let token = try tokens.make(name: name, scope: .admin, isBrief: true)
        defer { cleaningUp { try tokens.remove(name: name) } }
        do {
            let host = try HostConnection(HostAddress(address), token: token)
            let code: Code = try host.post("/api/v1/session/codes", Order(scope: .admin))
            return "\(address)/#signin/\(code.code)"
        } catch {
            // The host of another user does not accept it; its page asks for a token.
            guard error.code == .noToken else { throw error }
            return address
        }
    }

    /// Starts the user service; false where there is none.
    private func hasService() -> Bool {
        ifSupported {
            try DesktopProgram("systemctl").run(["--user", "--quiet", "start", "copystand.service"])
        } != nil
    }

    /// Starts a host that outlives this program.
    private func begin() throws {
        var attributes = posix_spawnattr_t()
        posix_spawnattr_init(&attributes)
        defer { posix_spawnattr_destroy(&attributes) }
        posix_spawnattr_setflags(&attributes, Self.newSession)
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for descriptor: Int32 in 0...2 {
            posix_spawn_file_actions_addopen(&actions, descriptor, "/dev/null", O_RDWR, 0)
        }
        let arguments: [String] = ["copystand", "serve", "--quiet"]
        var words = arguments.map { strdup($0) } + [nil]
        defer { words.forEach { free($0) } }
        var child: pid_t = 0
        let failure = posix_spawn(
            &child, "/proc/self/exe", &actions, &attributes, &words, environ)
        guard failure == 0 else {
            throw OutputFailure(
                message: "The host can't be started: \(String(cString: strerror(failure)))")
        }
    }
}
