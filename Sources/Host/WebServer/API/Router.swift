import HTTPServer

/// Finds the route of a request.
struct Router: Sendable {
    let routes: [Route]

    /// The route for a method at a path, with the values of its parameters; `HEAD` is answered by
    /// the route of `GET`.
    ///
    /// - Throws: a ``Problem`` with status 404, or 405 when only the method is wrong.
    func route(_ method: String, _ path: [String]) throws(Problem) -> (
        Route, parameters: [String: String]
    ) {
        var allowed: [String] = []
        for route in routes {
            guard let parameters = route.parameters(at: path) else { continue }
            if route.method == method || (method == "HEAD" && route.method == "GET") {
                return (route, parameters)
            }
            allowed.append(route.method)
        }
        guard !allowed.isEmpty else {
            throw Problem(
                404, "not-found",
                detail: "There is nothing at this address. See /api/v1/openapi.json.")
        }
        if allowed.contains("GET") { allowed.append("HEAD") }
        var problem = Problem(
            405, "method-not-allowed",
            detail: "\(method) is not allowed here. Allowed: \(allowed.joined(separator: ", ")).")
        problem.allowed = allowed
        throw problem
    }
}
