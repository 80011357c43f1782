import Testing

@testable import HTTPClient

/// Tests signatures for stores of objects against the examples of Amazon's documentation
/// ("Signature Calculations for the Authorization Header: Transferring Payload in a Single Chunk").
@Suite struct RequestSignatureTests {
    private static let signing = WebRequest.Signing(
        region: "us-east-1", key: "AKIAIOSFODNN7EXAMPLE",
        secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
    private static let hashOfNothing =
        "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"
    /// 2013-05-24 00:00:00.
    private static let time = 1_369_353_600.0

    private func signature(
        _ path: String, headers: [(name: String, value: String)] = []
    ) throws -> String {
        let address = try WebAddress("https://examplebucket.s3.amazonaws.com" + path)
        let hash = (name: "x-amz-content-sha256", value: Self.hashOfNothing)
        let request = WebRequest("GET", address.text, headers: headers + [hash])
        let signed = RequestSignature(Self.signing, at: Self.time).sign(request, to: address)
        let header = try #require(signed.headers.first { $0.name == "Authorization" }).value
        return String(try #require(header.split(separator: "Signature=").last))
    }

    @Test("A request for a part of an object")
    func object() throws {
        #expect(
            try signature("/test.txt", headers: [("Range", "bytes=0-9")])
                == "f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
    }

    @Test("A parameter without a value")
    func lifecycle() throws {
        #expect(
            try signature("/?lifecycle")
                == "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543")
    }

    @Test("A list of objects, with its parameters in any order")
    func list() throws {
        #expect(
            try signature("/?prefix=J&max-keys=2")
                == "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7")
    }

    @Test("A refusal with another time is answered by that time; any other is not")
    func clocks() {
        let clocks = StoreClocks()
        let origin = "https://store.example"
        let usual = clocks.now(at: origin)
        func refusal(_ date: String, status: Int = 403) -> WebAnswer {
            WebAnswer(status: status, headers: ["date": date], body: [])
        }
        let late = "Fri, 24 May 2013 00:00:00 GMT"
        #expect(!clocks.note(refusal(late, status: 200), from: origin))
        #expect(!clocks.note(refusal("yesterday"), from: origin))
        #expect(clocks.now(at: origin) - usual < 60)
        #expect(clocks.note(refusal(late), from: origin))
        #expect(abs(clocks.now(at: origin) - Self.time) < 60)
        // That time was used, so another refusal has another reason.
        #expect(!clocks.note(refusal(late), from: origin))
        #expect(clocks.now(at: "https://another.example") - usual < 60)
    }
}
