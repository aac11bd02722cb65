/// A type of enumeration: its values, without the one that stands for none.
struct ProtoEnumeration: Sendable {
  var fullName: String
  var values: Set<String>

  /// Letters of either case are taken, as Google's front end does.
  func allows(_ text: String) -> Bool { values.contains(text.uppercased()) }
}
