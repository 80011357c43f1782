/// Takes an answer as it arrives, on the thread that waits for it.
///
/// It sees the body of a success only; the body of every other answer is in the response.
package protocol HTTPReceiver: AnyObject {
    /// An answer has come whose body follows.
    ///
    /// - Parameter headers: with names in lower case.
    /// - Returns: false to leave.
    func begin(_ headers: [String: String]) -> Bool
    /// Takes the next bytes of the body.
    ///
    /// - Returns: false to leave.
    func take(_ bytes: UnsafeRawBufferPointer) -> Bool
    /// True as soon as nothing more is wanted; checked about once a second while nothing arrives.
    var isOver: Bool { get }
}
