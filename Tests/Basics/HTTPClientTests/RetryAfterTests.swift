import Testing

@testable import HTTPClient

@Suite struct RetryAfterTests {
    @Test(
        "Retry-After is read as seconds or as a date",
        arguments: [
            ("120", 120.0), ("0", 0), (" 7 ", 7), ("999999999999999999999999", 86_400),
            ("Sun, 06 Nov 1994 08:49:37 GMT", 37), ("Sun, 06 Nov 1994 08:00:00 GMT", 0),
        ])
    func retryAfter(header: String, seconds: Double) {
        // 784111740 is 1994-11-06T08:49:00Z (`date -u -d '1994-11-06 08:49' +%s`).
        #expect(RetryAfter.seconds(header, now: 784_111_740) == seconds)
    }

    @Test(
        "A value that is neither seconds nor a date is ignored",
        arguments: [
            "", "soon", "-5", "1.5", "Sun, 06 Nov 1994 08:49:37", "Sun, 99 Nov 1994 08:49:37 GMT",
            "Sun, 06 Foo 1994 08:49:37 GMT", "Sun, 06 Nov 1994 08:49 GMT", "٣",
        ])
    func nonsense(header: String) {
        #expect(RetryAfter.seconds(header, now: 0) == nil)
    }
}
