/// The type of a document.
public enum DocumentType: String, Codable, CaseIterable, Hashable, Sendable {
    /// An agreement.
    case contract
    /// A bill.
    case invoice
    /// A proof of payment.
    case receipt
    /// An account of something.
    case report
    /// A form that was filled in.
    case form
    /// Anything else, and documents without a type yet.
    case other
}
