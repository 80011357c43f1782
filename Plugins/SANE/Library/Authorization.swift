import CSANE
import Glibc
import Synchronization

/// Answers drivers that ask for a user's name and password (`SANE_Auth_Callback`).
enum Authorization {
    /// The function that SANE calls, which gets no context.
    static let callback: SANE_Auth_Callback = { authorize($0, $1, $2) }

    /// Runs `body` and returns whether a driver asked for a password meanwhile.
    @SANEActor static func watching<Result>(_ body: () -> Result) -> (Result, asked: Bool) {
        let before = requests.load(ordering: .relaxed)
        let result = body()
        return (result, requests.load(ordering: .relaxed) != before)
    }
}

private let requests = Atomic<Int>(0)

/// Fills in the name and password for a resource, or leaves both empty, which the driver refuses.
private func authorize(
    _ resource: UnsafePointer<CChar>?, _ user: UnsafeMutablePointer<CChar>?,
    _ password: UnsafeMutablePointer<CChar>?
) {
    requests.add(1, ordering: .relaxed)
    guard let user, let password else { return }
    user.pointee = 0
    password.pointee = 0
    let challenge = Challenge(driverText(resource))
    do throws(PasswordFile.Refusal) {
        guard let file = try PasswordFile.read(),
            let entry = file.entry(for: challenge.resource)
        else {
            return report("no password for '\(challenge.resource)' is known")
        }
        store(entry.user, user, Int(SANE_MAX_USERNAME_LEN))
        store(challenge.response(entry.password), password, Int(SANE_MAX_PASSWORD_LEN))
    } catch {
        report(error.reason)
    }
}

/// A driver's question: a resource, and optionally a random text to hash with the password.
struct Challenge {
    private static let mark = "$MD5$"

    let resource: String
    private let salt: String?

    /// Reads `RESOURCE` or `RESOURCE$MD5$SALT`, as the SANE standard writes them.
    init(_ text: String) {
        guard let mark = text.firstRange(of: Challenge.mark) else {
            (resource, salt) = (text, nil)
            return
        }
        resource = String(text[..<mark.lowerBound])
        salt = String(text[mark.upperBound...].prefix(128))
    }

    /// The password, or its hash if the driver supports that, so that the password is not readable
    /// on the network.
    func response(_ password: String) -> String {
        guard let salt else { return password }
        // Only the first 128 bytes of a password count, with and without hashing.
        let message = Array(salt.utf8) + Array(password.utf8.prefix(128))
        return Challenge.mark + MD5.hexadecimal(message)
    }
}

private func store(_ text: String, _ place: UnsafeMutablePointer<CChar>, _ size: Int) {
    let bytes = text.utf8.prefix(size - 1)
    for (index, byte) in bytes.enumerated() { place[index] = CChar(bitPattern: byte) }
    place[bytes.count] = 0
}

/// Writes a line to the host's log; never a password.
func report(_ line: String) {
    var text = "sane: " + line + "\n"
    text.withUTF8 { _ = Glibc.write(2, $0.baseAddress, $0.count) }
}
