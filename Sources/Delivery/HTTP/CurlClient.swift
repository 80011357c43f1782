import CCurl
import Synchronization

/// Sends requests with libcurl (`curl_easy_perform`).
///
/// TLS certificates are verified, with the system's authorities. Redirects are followed within the same scheme, host and port only, so
/// that no token reaches another host. Answers beyond 4 MiB are refused.
struct CurlClient: HTTPClient {
    /// The most bytes of an answer.
    static let largestAnswer = 4 << 20
    private static let mostRedirects = 5
    /// Seconds a whole exchange may take.
    let timeLimit: Int
    /// Seconds within which a connection must be there.
    let connectLimit: Int

    init(timeLimit: Int = 300, connectLimit: Int = 15) {
        self.timeLimit = timeLimit
        self.connectLimit = connectLimit
    }

    func send(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPResponse {
        var request = request
        for _ in 0...Self.mostRedirects {
            let response = try exchange(request)
            guard [301, 302, 303, 307, 308].contains(response.status) else { return response }
            request = try redirected(request, response)
        }
        throw HTTPFailure(
            message: "\(host(request.url)) redirects without end", isPermanent: true)
    }

    /// The request at the place an answer sends it to.
    private func redirected(
        _ request: HTTPRequest, _ response: HTTPResponse
    ) throws(HTTPFailure) -> HTTPRequest {
        guard let location = response.headers["location"], let old = try? WebAddress(request.url)
        else {
            throw HTTPFailure(
                message: "\(host(request.url)) redirects to nowhere", isPermanent: true)
        }
        let url =
            location.hasPrefix("/") && !location.hasPrefix("//") ? old.origin + location : location
        guard let new = try? WebAddress(url), new.origin == old.origin else {
            throw HTTPFailure(
                message:
                    "\(host(request.url)) redirects to '\(location.prefix(200))', another host; give that address if it is right",
                isPermanent: true)
        }
        // Only 307 and 308 keep the method; a body that silently became a GET would be a document lost.
        guard response.status >= 307 || ["GET", "HEAD"].contains(request.method) else {
            throw HTTPFailure(
                message:
                    "\(host(request.url)) redirects a \(request.method) to '\(new.text)' with status \(response.status); give that address instead",
                isPermanent: true)
        }
        var request = request
        request.url = new.text
        return request
    }

    private func exchange(_ request: HTTPRequest) throws(HTTPFailure) -> HTTPResponse {
        guard CurlLibrary.isReady, let handle = curl_easy_init() else {
            let problem = copystand_curl_problem().map { ": \(String(cString: $0))" } ?? ""
            throw HTTPFailure(
                message: "libcurl can't be started\(problem). It is in Debian's package libcurl4")
        }
        defer { curl_easy_cleanup(handle) }
        let exchange = CurlExchange(handle)
        try exchange.prepare(request, timeLimit: timeLimit, connectLimit: connectLimit)
        let code = curl_easy_perform(handle)
        guard code == CURLE_OK else { throw exchange.failure(code, host: host(request.url)) }
        return HTTPResponse(
            status: copystand_curl_status(handle), headers: exchange.headers, body: exchange.body,
            hash: exchange.hash())
    }

    /// The origin of an address, for messages.
    private func host(_ url: String) -> String { (try? WebAddress(url).origin) ?? "the service" }
}

/// libcurl's own start (`curl_global_init`), once.
private enum CurlLibrary {
    static let isReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK
}
