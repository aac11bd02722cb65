import AtelierProtocol
import Store

/// Which pictures a request may use.
struct PictureAccess: Sendable {
  /// The account whose results and prepared photos these are.
  var account: AccountID
  /// Whether files are read only in the folders that the operator has opened.
  var isConfined: Bool
}
