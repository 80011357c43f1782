import Documents
import Imaging
import Testing

@testable import Delivery

@Suite struct PDFProtectionTests {
    private let folder: TemporaryFolder
    private let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path + "/a.pdf"
    }

    private func make(_ password: String?, owner: String? = nil) throws {
        var options = FileSinkOptions()
        options.pdf.protection = PDFProtection(password: password, ownerPassword: owner)
        let text = sampleText([sampleLine(["confidential"], y: 90)])
        try deliver([samplePage(samplePicture(.gray8), text: text)], to: path, options: options)
    }

    @Test(
        "The document opens only with the password, by AES with 256 bits, and shows its content")
    func password() throws {
        try make("löse nörd")
        #expect(try run("pdftotext", path, "-").status != 0)
        #expect(try run("pdftotext", "-upw", "wrong", path, "-").status != 0)
        let read = try run("pdftotext", "-upw", "löse nörd", path, "-")
        #expect(read.status == 0 && read.output.contains("confidential"), "\(read)")
        let check = try run("qpdf", "--password=löse nörd", "--check", path)
        #expect(check.status == 0, "\(check)")
        #expect(check.output.contains("R = 6"))
        #expect(check.output.contains("stream encryption method: AESv3"))
        #expect(check.output.contains("string encryption method: AESv3"))
        #expect(check.output.contains("modify other: allowed"), "\(check.output)")
        let drawn = try run(
            "gs", "-q", "-dNOPAUSE", "-dBATCH", "-dSAFER", "-sDEVICE=nullpage",
            "-sPDFPassword=löse nörd", path)
        #expect(drawn.status == 0 && drawn.output + drawn.errors == "", "\(drawn)")
    }

    @Test("With only an owner's password, everybody can read it, and changes are forbidden")
    func owner() throws {
        try make(nil, owner: "boss")
        let read = try run("pdftotext", path, "-")
        #expect(read.status == 0 && read.output.contains("confidential"), "\(read)")
        let check = try run("qpdf", "--check", path)
        #expect(check.output.contains("modify other: not allowed"), "\(check.output)")
        #expect(check.output.contains("print high resolution: allowed"))
        #expect(check.output.contains("extract for any purpose: allowed"))
        #expect(
            try run("qpdf", "--password=boss", "--decrypt", path, folder.path + "/b.pdf").status
                == 0)
    }

    @Test("With both passwords, each opens the document, and they are distinguished")
    func both() throws {
        try make("reader", owner: "boss")
        for password in ["reader", "boss"] {
            #expect(try run("qpdf", "--password=\(password)", "--check", path).status == 0)
        }
        let owner = try run("qpdf", "--password=boss", "--show-encryption", path).output
        #expect(owner.contains("Supplied password is owner password"))
        let reader = try run("qpdf", "--password=reader", "--show-encryption", path).output
        #expect(reader.contains("Supplied password is user password"))
        #expect(!reader.contains("Supplied password is owner password"))
    }

    @Test("No part of the document can be read in the file")
    func sealed() throws {
        try make("a password of its own")
        let file = String(decoding: try contents(path), as: UTF8.self)
        for secret in ["a password of its own", "confidential", sampleInfo.title, "xmpmeta"] {
            #expect(!file.contains("(\(secret))") && !file.contains(secret + "<"), "\(secret)")
        }
    }

    @Test(
        "Passwords that readers could interpret differently are refused, and never shown",
        arguments: ["", "two\nlines", String(repeating: "ö", count: 64), "nul\u{0}"])
    func refused(password: String) {
        let refusal = failure { try make(password) }
        #expect(refusal?.code == .invalidOption)
        if !password.isEmpty { #expect(refusal?.message.contains(password) == false) }
        #expect(folder.names == [])
    }

    @Test("The longest password is accepted")
    func longest() throws {
        let password = String(repeating: "x", count: 127)
        try make(password)
        #expect(try run("qpdf", "--password=\(password)", "--check", path).status == 0)
        #expect(try run("qpdf", "--password=\(password.dropLast())", "--check", path).status != 0)
    }

    @Test("Options can be printed without revealing the passwords")
    func unseen() {
        var options = FileSinkOptions()
        options.pdf.protection = PDFProtection(password: "hidden", ownerPassword: "hidden too")
        var dumped = ""
        dump(options, to: &dumped)
        #expect(!(dumped + "\(options)" + String(reflecting: options)).contains("hidden"))
    }
}
