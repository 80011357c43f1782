import Documents
import Testing

@Suite struct PageNumbersTests {
    @Test(
        "Numbers and ranges are read in the order in which they are written",
        arguments: [
            ("2", [2...2]), ("2,5", [2...2, 5...5]), ("3-7", [3...7]), ("9,1-2", [9...9, 1...2]),
            ("4-4", [4...4]), ("0-9223372036854775807", [0...Int.max]),
        ])
    func lists(text: String, ranges: [ClosedRange<Int>]) throws {
        let numbers = try #require(PageNumbers(text))
        #expect(numbers.ranges == ranges)
        #expect(PageNumbers(numbers.text(most: 100)) == numbers)
    }

    @Test(
        "Anything else is refused",
        arguments: [
            "", ",", "2,", "7-3", "-3", "3-", "1-2-3", "a", " 2", "+2", "٢",
            "99999999999999999999",
        ])
    func others(text: String) { #expect(PageNumbers(text) == nil) }

    @Test("A long list is cut off in a name")
    func long() throws {
        let numbers = try #require(PageNumbers("10,12,14,16"))
        #expect(numbers.text(most: 11) == "10,12,14,16")
        #expect(numbers.text(most: 6) == "10,12,…")
    }

    @Test("A number is in the list or in one of its ranges")
    func contains() throws {
        let numbers = try #require(PageNumbers("2,5-7"))
        #expect((1...8).filter(numbers.contains) == [2, 5, 6, 7])
    }
}
