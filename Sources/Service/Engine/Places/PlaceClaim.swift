import AtelierProtocol
import Glibc

/// A place as a model describes it: nothing of it is known to be true.
struct PlaceClaim: Sendable, Equatable {
  var name: String
  /// Nil when the claim does not tell the town from the rest of the address.
  var city: String?
  /// Everything it says of where the place is, in words.
  var address: String
  var coordinate: Coordinate?
}
