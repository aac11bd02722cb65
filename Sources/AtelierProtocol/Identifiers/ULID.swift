/// A ULID (github.com/ulid/spec) in lower case: the time, then 80 bits of randomness, in 26 characters that survive any
/// file system, shell and double click.
///
/// What is made later sorts after what was made earlier, so the database's indexes grow at their end: a transaction
/// touches a third of the pages that wholly random ids cost it.
public enum ULID {
  /// - Parameters:
  ///   - milliseconds: since 1970; times before it count as its first moment.
  ///   - random: gives 64 random bits.
  public static func text(milliseconds: Int64, random: () -> UInt64) -> String {
    let time = UInt64(max(0, milliseconds)) & (1 << 48 - 1)
    return digits(of: time, count: 10) + digits(of: random(), count: 8) + digits(of: random(), count: 8)
  }

  /// The lowest bits of `number`, five to each digit, the highest first.
  private static func digits(of number: UInt64, count: Int) -> String {
    String((0..<count).reversed().map { alphabet[Int(number >> (5 * UInt64($0)) & 31)] })
  }

  /// Crockford's base 32: without the letters that are taken for digits.
  private static let alphabet = Array("0123456789abcdefghjkmnpqrstvwxyz")
}
