import ExpectedFailures
import HTTPServer

/// Checks which names the authority may sign that phones trust for HTTPS.
struct AuthorityCheck {
    /// The environment the folders come from.
    var environment: [String: String]

    /// The result; none without a certificate of the host's own.
    var findings: [DoctorFinding] {
        let known = reportedLater {
            try OwnCertificate(environment: environment).read()?.authority
        }
        guard let authority = known else { return [] }
        return [
            authority.isLimited
                ? .ok(
                    "HTTPS",
                    "the authority for phones is '\(authority.name)', which signs only this host's names and private addresses; an older 'Copystand on …' can be removed from them"
                )
                : .warning(
                    "HTTPS",
                    "phones that trust the authority '\(authority.name)' trust any name that it signs",
                    remedy:
                        "restart 'copystand serve --tls', which replaces it; on each phone, remove '\(authority.name)' and install https://ADDRESS/copystand-ca.crt again"
                )
        ]
    }
}
