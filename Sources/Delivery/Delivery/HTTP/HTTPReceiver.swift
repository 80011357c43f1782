/// Receives an answer as it arrives, on the thread that waits for it.
///
/// It receives only the body of a success; any other body is in the response.
package protocol HTTPReceiver: AnyObject {
    /// An answer has arrived whose body follows.
    ///
    /// - Parameter headers: with names in lower case.
    /// - Returns: false to stop.
    func begin(_ headers: [String: String]) -> Bool
    /// Receives the next bytes of the body.
    ///
    /// - Returns: false to stop.
    func take(_ bytes: UnsafeRawBufferPointer) -> Bool
    /// True as soon as nothing more is wanted; checked about once a second while nothing arrives.
    var isOver: Bool { get }
}
