extension Sequence<UInt8> {
  /// Each byte as two digits in lower case.
  var hexadecimal: [String] { map { ($0 < 16 ? "0" : "") + String($0, radix: 16) } }
}
