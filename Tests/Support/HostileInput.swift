/// What a peer may send that is well-formed and yet did harm, or could: given to everything that reads JSON.
public enum HostileInput {
  /// Numbers at and beyond the borders of every type they are read as.
  public static let numbers = [
    "0", "-0", "-0.0", "0e9223372036854775807", "0.0e-9223372036854775808", "0.1e1", "1.0", "1e0", "15e-1",
    "10e9223372036854775807", "-10e9223372036854775807", "10e-9223372036854775808", "1e9223372036854775808",
    "1e99999999999999999999", "1e-99999999999999999999", "10000e9223372036854775806",
    "0.00001e-9223372036854775808", "1e400", "-1e400", "1e-400", "1e308", "-1e308", "5e-324",
    "127", "128", "-128", "-129", "255", "256", "32767", "32768", "65535", "65536",
    "2147483647", "2147483648", "-2147483648", "-2147483649", "4294967295", "4294967296",
    "9007199254740991", "9007199254740992", "9007199254740993",
    "9223372036854775806", "9223372036854775807", "9223372036854775808", "-9223372036854775807",
    "-9223372036854775808", "-9223372036854775809", "9.223372036854775807e18", "9.223372036854775808e18",
    "-9.223372036854775808e18", "922337203685477580.7e1", "92233720368547758070e-1",
    "18446744073709551615", "18446744073709551616", "12345678901234567890",
    "170141183460469231731687303715884105727", "170141183460469231731687303715884105728",
    "99999999999999999999999999999999999999999999999999", "253402300799999", "253402300800000",
  ]

  /// Two texts each that Swift calls equal and JSON, SQLite and people who own accounts do not.
  public static let equivalentTexts = [
    ("zo\u{E9}", "zoe\u{301}"), ("\u{C5}", "A\u{30A}"), ("\u{212B}", "\u{C5}"), ("\u{1E69}", "s\u{323}\u{307}"),
    ("q\u{307}\u{323}", "q\u{323}\u{307}"), ("\u{AC00}", "\u{1100}\u{1161}"), ("\u{212A}ey", "Key"),
    ("a\u{37E}b", "a;b"), ("\u{2126}", "\u{3A9}"), ("\u{FB1D}", "\u{5D9}\u{5B4}"),
  ]

  /// `count` different names that are all equal to Swift: as many pairs of marks, each in one order or the other.
  public static func equivalentNames(_ count: Int) -> [String] {
    (0..<count).map { number in
      var name = String.UnicodeScalarView("e".unicodeScalars)
      for bit in 0..<10 {
        // The starter between the pairs keeps the runs of marks short.
        name.append(contentsOf: (number >> bit & 1 == 0 ? "\u{301}\u{323}e" : "\u{323}\u{301}e").unicodeScalars)
      }
      return String(name)
    }
  }
}
