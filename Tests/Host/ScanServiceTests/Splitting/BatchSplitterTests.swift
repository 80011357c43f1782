import JobOptions
import Recognition
import Testing

@testable import ScanService

@Suite struct BatchSplitterTests {
    /// A page of an invented batch.
    private struct Sample {
        var mark: SplitMark
        var isBlank = false

        static let page = Sample(mark: SplitMark(.page))
        static let blank = Sample(mark: SplitMark(.page), isBlank: true)
        static let sheet = Sample(mark: SplitMark(.sheet))
        static func first(_ name: String) -> Sample { Sample(mark: SplitMark(.first, name: name)) }
        static func sheet(_ name: String) -> Sample { Sample(mark: SplitMark(.sheet, name: name)) }

        static func random() -> Sample {
            [page, page, page, blank, sheet, sheet("s"), first("f")].randomElement()!
        }
    }

    /// The pages of each document, by their places in the batch from 0, and its name.
    private func split(
        _ batch: [Sample], _ pages: SplitPages = .auto
    ) -> (documents: [[Int]], names: [String?], aside: [Int]) {
        var splitter = BatchSplitter(pages)
        var documents: [[Int]] = []
        var names: [String?] = []
        var aside: [Int] = []
        for (index, page) in batch.enumerated() {
            switch splitter.place(page.mark, isBlank: page.isBlank) {
            case .beginning(let number, let name):
                documents.append([index])
                names.append(name)
                #expect(number == documents.count)
            case .continuing(let number):
                #expect(number == documents.count)
                documents[number - 1].append(index)
            case .aside: aside.append(index)
            }
        }
        return (documents, names, aside)
    }

    @Test("A batch without marks is one document")
    func plain() {
        #expect(split([.page, .blank, .page]).documents == [[0, 1, 2]])
        #expect(split([]).documents == [])
    }

    @Test("A sheet ends a document and is in no document")
    func sheets() {
        let (documents, _, aside) = split([.page, .page, .sheet, .page])
        #expect(documents == [[0, 1], [3]])
        #expect(aside == [2])
    }

    @Test("Sheets at the ends and sheets that follow each other make no document")
    func noEmpty() {
        #expect(
            split([.sheet, .sheet, .page, .sheet, .sheet, .page, .sheet]).documents == [[2], [5]])
        #expect(split([.sheet, .blank, .sheet, .blank]).documents == [])
    }

    @Test("The empty back of a sheet is left out with it, but only that one page")
    func backs() {
        let (documents, _, aside) = split([.page, .blank, .sheet, .blank, .page, .blank])
        #expect(documents == [[0, 1], [4, 5]])
        #expect(aside == [2, 3])
        #expect(split([.sheet, .blank, .blank, .page]).documents == [[2, 3]])
    }

    @Test("A page with the user's mark begins a document, belongs to it, and names it")
    func firsts() {
        let (documents, names, aside) = split([.page, .first("a"), .page, .first("b"), .first("b")])
        #expect(documents == [[0], [1, 2], [3], [4]])
        #expect(names == [nil, "a", "b", "b"])
        #expect(aside == [])
    }

    @Test("A named sheet names the next document, unless that has its own name")
    func namedSheets() {
        #expect(split([.sheet("x"), .page, .sheet, .page]).names == ["x", nil])
        #expect(split([.sheet("x"), .sheet, .page]).names == ["x"])
        #expect(split([.sheet("x"), .first("y"), .page]).names == ["y"])
    }

    @Test("Sheets can be kept, and the user's pages left out")
    func kept() {
        #expect(split([.page, .sheet, .blank, .page], .keep).documents == [[0], [1, 2, 3]])
        let (documents, names, aside) = split(
            [.first("a"), .page, .first("b"), .blank, .page], .drop)
        #expect(documents == [[1], [4]])
        #expect(names == ["a", "b"])
        #expect(aside == [0, 2, 3])
    }

    @Test(
        "No page is lost or doubled, the order stays, and no document is empty", arguments: 1...300)
    func properties(_ round: Int) {
        let batch = (0..<Int.random(in: 0...round % 40 + 1)).map { _ in Sample.random() }
        for pages in SplitPages.allCases {
            let (documents, names, aside) = split(batch, pages)
            #expect(documents.allSatisfy { !$0.isEmpty })
            #expect(documents.flatMap { $0 } == documents.flatMap { $0 }.sorted())
            #expect((documents.flatMap { $0 } + aside).sorted() == Array(batch.indices))
            #expect(names.count == documents.count)
            for index in aside {
                let mark = pages.applied(to: batch[index].mark)
                let isBack =
                    index > 0 && batch[index].isBlank
                    && pages.applied(to: batch[index - 1].mark).kind == .sheet
                #expect(mark.kind == .sheet || isBack)
            }
            if pages == .keep { #expect(aside.isEmpty) }
            // Documents are split only at marks.
            for document in documents.dropFirst() {
                let isMarked = pages.applied(to: batch[document[0]].mark).kind == .first
                #expect(isMarked || aside.contains(document[0] - 1))
            }
        }
    }
}
