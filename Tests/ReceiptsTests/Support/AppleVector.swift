import AtelierProtocol
import Receipts
import Testing

/// One receipt of Apple's, what this service makes of it, and what Apple's own library does.
struct AppleVector: Sendable, CustomTestStringConvertible {
  /// What `app-store-server-library` says.
  enum Library: Sendable {
    case accepts
    case refuses
    /// It accepts what is refused here, for the reason given.
    case laxer(String)
    /// Its answer depends on something a test does not hold in its hands.
    case notAsked(String)
  }

  var name: String
  /// Nil when the receipt is accepted.
  var refusal: ReceiptRefusal.Reason?
  var library: Library
  /// The environment Apple's library is told to expect.
  var libraryEnvironment: String
  var account: AccountID
  var allowsSandbox: Bool
  /// Makes the receipt, out of a store that sells a bundle properly.
  var make: @Sendable (inout AppleStore) throws -> String

  init(
    _ name: String, _ refusal: ReceiptRefusal.Reason?, _ library: Library, libraryEnvironment: String = "Production",
    account: AccountID = AppleStore.account, allowsSandbox: Bool = false,
    make: @escaping @Sendable (inout AppleStore) throws -> String
  ) {
    self.name = name
    self.refusal = refusal
    self.library = library
    self.libraryEnvironment = libraryEnvironment
    self.account = account
    self.allowsSandbox = allowsSandbox
    self.make = make
  }

  var testDescription: String { name }

  func receipt() throws -> String {
    var store = try AppleStore.shared.get()
    return try make(&store)
  }

  static let all = content + form + chain
}
