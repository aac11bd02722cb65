/// Bytes as lowercase hexadecimal digits, two per byte.
public enum Hexadecimal {
  public static func text(_ bytes: some Sequence<UInt8>) -> String {
    var digits: [UInt8] = []
    for byte in bytes {
      digits.append(Self.digits[Int(byte >> 4)])
      digits.append(Self.digits[Int(byte & 15)])
    }
    return String(decoding: digits, as: UTF8.self)
  }

  /// - Returns: nil when `text` is not in this form.
  public static func bytes(_ text: String) -> [UInt8]? {
    let values = text.utf8.compactMap { digits.firstIndex(of: $0).map { UInt8($0) } }
    guard values.count == text.utf8.count, values.count.isMultiple(of: 2) else { return nil }
    return stride(from: 0, to: values.count, by: 2).map { values[$0] << 4 | values[$0 + 1] }
  }

  private static let digits = Array("0123456789abcdef".utf8)
}
