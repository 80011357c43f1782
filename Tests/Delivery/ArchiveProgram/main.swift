import Archive
import Documents
import Glibc

// A process that uses an archive, for tests with several processes, for tests with kill -9, and for
// measurements. See Work.
let words = Array(Swift.CommandLine.arguments.dropFirst())
do {
    switch words.first {
    case "add" where words.count == 5:
        try Work.add(words[1], documents: words[2], pages: words[3], seed: words[4])
    case "mix" where words.count == 4:
        try Work.mix(words[1], steps: words[2], seed: words[3])
    case "fill" where words.count == 3: try Measure.fill(words[1], pages: words[2])
    case "documents" where words.count == 4:
        try Measure.documents(words[1], count: words[2], picture: words[3])
    case "measure" where words.count == 3: try Measure.all(words[1], runs: words[2])
    case "search" where words.count > 3:
        try Measure.searches(words[1], runs: words[2], Array(words.dropFirst(3)))
    default:
        print(
            "add FOLDER DOCUMENTS PAGES SEED | mix FOLDER STEPS SEED | fill FOLDER PAGES | documents FOLDER COUNT PICTURE | measure FOLDER RUNS | search FOLDER RUNS QUERY…"
        )
        exit(2)
    }
} catch {
    print("failed: \((error as? ArchiveError)?.message ?? "\(error)")")
    exit(1)
}
