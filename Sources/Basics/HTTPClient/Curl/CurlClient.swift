import CCurl
import Synchronization

/// Sends requests with libcurl (`curl_easy_perform`).
///
/// TLS certificates are verified, with the system's authorities unless the request names others.
/// Redirects are followed within the same scheme, host and port only, so that no token reaches
/// another host. Answers beyond 4 MiB are refused, unless the request allows more.
package struct CurlClient: WebClient {
    private static let mostRedirects = 5
    /// Seconds a whole exchange may take.
    let timeLimit: Int
    /// Seconds within which a connection must be established.
    let connectLimit: Int
    /// Seconds of silence after which an exchange is ended.
    package let silenceLimit: Int
    /// True as soon as exchanges must stop, since the program is about to end; nil for none.
    ///
    /// It is asked at least once a second.
    private let isStopped: (@Sendable () -> Bool)?
    private let idle = IdleConnections<String?, CurlHandle>()
    private let clocks = StoreClocks()

    package init(
        timeLimit: Int = 300, connectLimit: Int = 15, silenceLimit: Int = 60,
        isStopped: (@Sendable () -> Bool)? = nil
    ) {
        self.isStopped = isStopped
        self.timeLimit = timeLimit
        self.connectLimit = min(connectLimit, silenceLimit)
        self.silenceLimit = min(silenceLimit, timeLimit)
    }

    package func send(_ request: WebRequest) throws(HTTPFailure) -> WebAnswer {
        var request = request
        for _ in 0...Self.mostRedirects {
            let response = try exchangeSigned(request)
            guard [301, 302, 303, 307, 308].contains(response.status) else { return response }
            request = try redirected(request, response)
        }
        throw HTTPFailure(
            message: "\(host(request.url)) redirects without end", isPermanent: true,
            isUnfit: true)
    }

    /// Sends a request, with a signature if it needs one.
    ///
    /// A request that a store refuses because of another clock is signed again by the store's.
    private func exchangeSigned(_ request: WebRequest) throws(HTTPFailure) -> WebAnswer {
        guard let signing = request.signing else { return try exchange(request) }
        let address: WebAddress
        do { address = try WebAddress(request.url) } catch {
            throw HTTPFailure(message: error.message, isPermanent: true)
        }
        let first = RequestSignature(signing, at: clocks.now(at: address.origin))
        let answer = try exchange(first.sign(request, to: address))
        guard clocks.note(answer, from: address.origin) else { return answer }
        let again = RequestSignature(signing, at: clocks.now(at: address.origin))
        return try exchange(again.sign(request, to: address))
    }

    /// The request, at the place to which an answer redirects it.
    private func redirected(
        _ request: WebRequest, _ response: WebAnswer
    ) throws(HTTPFailure) -> WebRequest {
        guard let location = response.headers["location"], let old = WebAddress.ifValid(request.url)
        else {
            throw HTTPFailure(
                message: "\(host(request.url)) redirects to nowhere", isPermanent: true,
                isUnfit: true)
        }
        let url =
            location.hasPrefix("/") && !location.hasPrefix("//") ? old.origin + location : location
        guard let new = WebAddress.ifValid(url), new.origin == old.origin else {
            throw HTTPFailure(
                message:
                    "\(host(request.url)) redirects to '\(request.secrets.redacted(location).prefix(200))', another host; give that address if it is right",
                isPermanent: true, isUnfit: true)
        }
        // Only 307 and 308 keep the method. If a POST silently became a GET, the document would be
        // lost.
        guard response.status >= 307 || ["GET", "HEAD"].contains(request.method) else {
            throw HTTPFailure(
                message:
                    "\(host(request.url)) redirects a \(request.method) to '\(request.secrets.redacted(new.shown))' with status \(response.status); give that address instead",
                isPermanent: true, isUnfit: true)
        }
        var request = request
        request.url = new.text
        return request
    }

    /// Sends a request whose answer goes to a receiver as it arrives; redirects are not followed.
    ///
    /// - Parameter patience: seconds of silence after which the exchange is ended; there is no
    ///   other time limit.
    package func stream(
        _ request: WebRequest, patience: Int, to receiver: any HTTPReceiver
    ) throws(HTTPFailure) -> WebAnswer {
        let response = try exchange(request, CurlReception(receiver, patience: patience))
        guard !(300..<400).contains(response.status) else {
            throw HTTPFailure(
                message: "\(host(request.url)) redirects to another address, which is not allowed",
                isPermanent: true, isUnfit: true)
        }
        return response
    }

    private func exchange(
        _ request: WebRequest, _ reception: CurlReception? = nil
    ) throws(HTTPFailure) -> WebAnswer {
        guard let owned = idle.take(nil) ?? CurlHandle() else {
            let problem = copystand_curl_problem().map { ": \(String(cString: $0))" } ?? ""
            throw HTTPFailure(
                message: "libcurl can't be started\(problem). It is in Debian's package libcurl4")
        }
        let handle = owned.raw
        defer {
            curl_easy_reset(handle)
            idle.keep(owned, for: nil)
        }
        let exchange = CurlExchange(handle, reception, isStopped: isStopped)
        try exchange.prepare(request, limits: self)
        let code = curl_easy_perform(handle)
        guard code == CURLE_OK || reception?.isLeft == true else {
            var failure = exchange.failure(code, host: host(request.url))
            failure.message = request.secrets.redacted(failure.message, isCut: true)
            throw failure
        }
        return WebAnswer(
            status: copystand_curl_status(handle), headers: exchange.headers, body: exchange.body,
            hash: exchange.hash(), secrets: request.secrets)
    }

    /// The origin of an address, for messages.
    private func host(_ url: String) -> String { WebAddress.ifValid(url)?.origin ?? "the service" }
}
