import CaptureKit
import Glibc
import Processes
import SMBAccess

/// A share of an SMB server, through `copystand-smb`.
///
/// `@unchecked Sendable`: only one delivery uses the connection at a time.
final class SMBConnection: @unchecked Sendable {
    private let process: ChildProcess
    private let socket: OwnedDescriptor
    private let channel: SMBChannel
    private let patience: Int
    /// False once an answer was missing, or reported a failure that does not concern a single file.
    private(set) var isSound = true

    /// The reason why an operation failed.
    enum Failure: Error {
        /// The server refused, with an error number of Linux.
        case refused(Int32)
        /// libsmbclient can't be loaded.
        case noLibrary(String)
        /// No output arrived in time, or the program has ended.
        case silent(String)
    }

    /// Starts the program, and signs in.
    ///
    /// - Parameter shouldContinue: called several times a second; returns false to give up.
    init(
        _ account: SMBAccount, folder: String, shouldContinue: () -> Bool
    ) throws(Failure) {
        patience = account.patience
        do {
            let (ours, theirs) = try OwnedDescriptor.socketPair()
            socket = ours
            channel = SMBChannel(ours.raw)
            process = try ChildProcess(
                program: InstalledProgram.path("copystand-smb"),
                confinement: Confinement(memory: 1 << 30, isReadOnly: true), socket: theirs
            ) { _ in }
        } catch let error as ChildProcess.SpawnFailure {
            throw .silent(error.message)
        } catch {
            throw .silent("\(error)")
        }
        _ = try ask(.connect(account, folder: folder), shouldContinue: shouldContinue)
    }

    deinit {
        process.signal(SIGKILL)
        _ = process.waitForEnd(.seconds(5))
    }

    /// Asks, and waits for the answer.
    @discardableResult
    func ask(
        _ request: SMBRequest, _ bytes: ArraySlice<UInt8> = [], shouldContinue: () -> Bool
    ) throws(Failure) -> (answer: SMBAnswer, bytes: [UInt8]) {
        guard isSound else { throw .silent("the connection has ended") }
        // The library has a time limit for each of several answers. This limit is for a library
        // that waits forever.
        let end = ContinuousClock.now + .seconds(3 * patience + 10)
        guard channel.send(request, bytes),
            let (answer, content) = channel.receive(
                SMBAnswer.self, shouldContinue: { ContinuousClock.now < end && shouldContinue() })
        else {
            isSound = false
            throw .silent(
                shouldContinue() ? "no answer arrived from copystand-smb" : "Copystand was stopped")
        }
        if let problem = answer.problem { throw .noLibrary(problem) }
        guard answer.error == 0 else {
            isSound = [ENOENT, EEXIST].contains(answer.error)
            throw .refused(answer.error)
        }
        return (answer, content)
    }
}
