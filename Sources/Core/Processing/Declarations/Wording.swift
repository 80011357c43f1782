import Imaging
import Recognition

/// A number with at most `places` digits after the point, for a summary.
func rounded(_ number: Double, places: Int) -> String {
    let scale = [1.0, 10, 100, 1000][min(max(places, 0), 3)]
    return plainNumber((number * scale).rounded() / scale)
}

/// `1 word`, `12 words`.
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

/// An error's sentence for people, or else the error itself.
func explanation(of error: any Error) -> String {
    switch error {
    case let error as RecognitionError: error.message
    case let error as ImagingError: error.message
    case let error as BarcodeError: error.message
    default: "\(error)"
    }
}
