import HTTPServer

/// Finds the route of a request.
struct Router: Sendable {
    let routes: [Route]

    /// What there is at a path.
    enum Match {
        case route(Route, parameters: [String: String])
        /// The path is known, the method is not; these are.
        case otherMethods([String])
        case nothing
    }

    /// What there is for a method at a path; `HEAD` is answered by the route of `GET`.
    func match(_ method: String, _ path: [String]) -> Match {
        var allowed: [String] = []
        for route in routes {
            guard let parameters = route.parameters(at: path) else { continue }
            if route.method == method || (method == "HEAD" && route.method == "GET") {
                return .route(route, parameters: parameters)
            }
            allowed.append(route.method)
        }
        guard !allowed.isEmpty else { return .nothing }
        if allowed.contains("GET") { allowed.append("HEAD") }
        return .otherMethods(allowed)
    }
}
