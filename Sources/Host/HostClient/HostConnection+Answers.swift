import ExpectedFailures
import HTTPClient
import FoundationEssentials

/// A host's description of a failed request (RFC 9457).
private struct ProblemJSON: Decodable {
    var status: Int
    var code: String
    var detail: String
}

extension HostConnection {
    /// The maximum length of a text from a host in a message.
    private static let longestDetail = 2_000

    /// Sends a request, and describes a failure in this host's words.
    func answer(
        _ exchange: () throws(HTTPFailure) -> WebAnswer
    ) throws(HostFailure) -> WebAnswer {
        do {
            return try exchange()
        } catch {
            if error.isUntrusted {
                throw HostFailure(
                    .untrusted,
                    "The machine at \(address.text) can't prove that it is the host: \(error.message). Give its certificate with --host-ca FILE, or its key with --host-key, as 'copystand serve --tls' shows it when it starts."
                )
            }
            if error.isUnfit {
                throw HostFailure(.notCopystand, "\(error.message). \(advice)")
            }
            throw HostFailure(
                .unreachable,
                "The host can't be reached: \(error.message). Check that 'copystand serve' is running there and that the address is right."
            )
        }
    }

    /// Throws for every answer but a success.
    ///
    /// - Throws: ``HostFailure``: `noToken`, `refused`, `notCopystand`.
    func check(_ response: WebAnswer, _ path: String) throws(HostFailure) {
        if (200..<300).contains(response.status) { return }
        guard
            JSONBounds.areKept(by: response.body),
            let problem = ofKnownForm({
                try JSONDecoder().decode(ProblemJSON.self, from: Data(response.safeBody))
            })
        else {
            throw notCopystand(path, "with status \(response.status)")
        }
        if response.status == 401 {
            throw HostFailure(
                .noToken,
                isLetInByToken
                    ? "\(address.text) does not accept this token. Make one on its machine with: copystand token add NAME"
                    : "\(address.text) asks for a token. Make one on its machine with: copystand token add NAME. Then name a file that holds it with --host-token-file, or put it into COPYSTAND_HOST_TOKEN."
            )
        }
        throw HostFailure(
            .refused(String(problem.code.prefix(100)), status: response.status),
            String(problem.detail.prefix(Self.longestDetail)))
    }

    /// The value in an answer.
    ///
    /// - Throws: ``HostFailure`` `notCopystand`.
    func decoded<Value: Decodable>(
        _ response: WebAnswer, _ type: Value.Type, _ path: String
    ) throws(HostFailure) -> Value {
        guard JSONBounds.areKept(by: response.body) else {
            throw notCopystand(path, "with an impossible number or nesting")
        }
        do {
            return try JSONDecoder().decode(type, from: Data(response.safeBody))
        } catch {
            throw notCopystand(path, "with something unexpected")
        }
    }

    /// The failure for an answer that no Copystand host gives.
    func notCopystand(_ path: String, _ how: String) -> HostFailure {
        HostFailure(
            .notCopystand,
            "\(address.text) answers, but not as Copystand does: \(path.prefix { $0 != "?" }) \(how). \(advice)"
        )
    }

    private var advice: String {
        "Give the address that 'copystand serve' shows when it starts, and check that both machines have the same version."
    }
}
