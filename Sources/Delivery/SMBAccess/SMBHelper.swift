import CSMB
import Glibc

/// The main of `copystand-smb`: the files of one SMB share, for a host at the other end of
/// descriptor 3.
///
/// This is a separate program, because libsmbclient reads data from servers and has another
/// license. It can access no file of this machine, only the data that it receives.
package enum SMBHelper {
    /// Answers requests until the host closes the connection.
    package static func run() {
        let channel = SMBChannel(3)
        let share = OpenShare()
        while let (request, bytes) = channel.receive(SMBRequest.self) {
            let (answer, content) = share.answer(request, bytes)
            guard channel.send(answer, content[...]) else { return }
        }
    }
}

/// A share with one signed-in account, and its open file.
private final class OpenShare {
    private var share: OpaquePointer?
    private var file: OpaquePointer?

    deinit {
        _ = close()
        copystand_smb_free(share)
    }

    func answer(_ request: SMBRequest, _ bytes: [UInt8]) -> (SMBAnswer, [UInt8]) {
        var answer = SMBAnswer()
        if case .connect(let account, let folder) = request {
            answer.error = connect(account, folder)
            if answer.error == ELIBACC {
                answer.problem = copystand_smb_problem().map { String(cString: $0) }
            }
            return (answer, [])
        }
        guard let share else {
            answer.error = ENOTCONN
            return (answer, [])
        }
        var content: [UInt8] = []
        switch request {
        case .connect: break
        case .size(let address):
            var size: Int64 = 0
            answer.error = copystand_smb_size(share, address, &size)
            if answer.error == 0 { answer.size = Int(size) }
        case .read(let address): answer.error = open(address, copystand_smb_read_file)
        case .write(let address, let isNew):
            answer.error = open(
                address, isNew ? copystand_smb_new_file : copystand_smb_write_file)
        case .next: (answer.error, content) = next()
        case .more:
            answer.error =
                file.map { copystand_smb_write(share, $0, bytes, bytes.count) } ?? EBADF
        case .close: answer.error = close()
        case .rename(let address, let goal):
            answer.error = copystand_smb_rename(share, address, goal)
        case .remove(let address): answer.error = copystand_smb_remove(share, address)
        case .makeFolder(let address): answer.error = copystand_smb_make_folder(share, address)
        }
        return (answer, content)
    }

    private func connect(_ account: SMBAccount, _ folder: String) -> Int32 {
        guard share == nil else { return EISCONN }
        var error: Int32 = 0
        account.user.withCString { user in
            account.domain.withCString { domain in
                account.password.withCString { password in
                    var native = copystand_smb_account(
                        user: user, domain: domain, password: password,
                        port: Int32(clamping: account.port),
                        timeout: Int32(
                            clamping: account.patience.multipliedReportingOverflow(by: 1000)
                                .partialValue))
                    share = copystand_smb_new(&native, &error)
                }
            }
        }
        guard let share else { return error }
        return copystand_smb_look_into(share, folder)
    }

    private func open(_ address: String, _ way: copystand_smb_way) -> Int32 {
        guard file == nil else { return EBUSY }
        return copystand_smb_open(share, address, way, &file)
    }

    private func next() -> (Int32, [UInt8]) {
        guard let file else { return (EBADF, []) }
        var count = 0
        var error: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: SMBChannel.largest) { buffer, filled in
            error = copystand_smb_read(share, file, buffer.baseAddress, buffer.count, &count)
            filled = error == 0 ? min(count, buffer.count) : 0
        }
        return (error, bytes)
    }

    private func close() -> Int32 {
        guard let open = file else { return 0 }
        file = nil
        return copystand_smb_close(share, open)
    }
}
