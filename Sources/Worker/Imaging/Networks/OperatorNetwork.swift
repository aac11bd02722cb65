/// A network that the operator brings along: what a catalogue entry says of it.
public struct OperatorNetwork: Codable, Sendable, Equatable {
  /// How it takes part.
  public enum Role: String, Codable, Sendable, CaseIterable {
    /// One voice more in the mean of the networks.
    case vote
    /// In place of the networks.
    case matte
  }

  /// What it takes for a colour between 0 and 255.
  public enum Values: String, Codable, Sendable, CaseIterable {
    case unit = "0..1"
    case signed = "-1..1"
    case bytes = "0..255"
    /// With the mean and the deviation of ImageNet, as networks of PyTorch mostly do.
    case imagenet
  }

  /// What its first result says of each pixel.
  public enum Output: String, Codable, Sendable, CaseIterable {
    /// The part of the person, 0…1.
    case person
    /// The logarithm of the person's odds.
    case logOdds = "log-odds"
    /// A number for each class, the first of which is the background.
    case classes
  }

  /// Names it on the command line and in the log, and names its files.
  public var name: String
  public var role: Role
  /// The side of the square that it looks at, in pixels.
  public var inputSide: Int
  public var values: Values
  public var output: Output
  /// Of its file, in lowercase hexadecimal digits.
  public var sha256: String
  /// The size of its file.
  public var bytes: Int
  public var licence: String
  /// Where its file comes from.
  public var source: String

  public init(
    name: String, role: Role, inputSide: Int, values: Values, output: Output, sha256: String, bytes: Int, licence: String,
    source: String
  ) {
    self.name = name
    self.role = role
    self.inputSide = inputSide
    self.values = values
    self.output = output
    self.sha256 = sha256
    self.bytes = bytes
    self.licence = licence
    self.source = source
  }

  /// Whether a text can be a name, which becomes the name of a file: at most 40 lowercase letters, digits and hyphens.
  public static func isName(_ text: String) -> Bool {
    let allowed = Array("-0123456789abcdefghijklmnopqrstuvwxyz".utf8)
    return (1...40).contains(text.utf8.count) && !text.hasPrefix("-") && text.utf8.allSatisfy(allowed.contains)
  }

  /// Whether a text can be a SHA-256.
  public static func isDigest(_ text: String) -> Bool {
    text.utf8.count == 64 && text.utf8.allSatisfy(Array("0123456789abcdef".utf8).contains)
  }
}

/// Why a network of the operator cannot be used.
public struct NetworkRefusal: Error, Codable, Sendable, Equatable {
  public enum Kind: String, Codable, Sendable, CaseIterable {
    /// The file is no whole TensorFlow Lite model.
    case notTFLite = "not_tflite"
    case unsupportedOperator = "unsupported_operator"
    /// It needs something else that the interpreter lacks, or too much of it.
    case unsupportedModel = "unsupported_model"
    /// Its input is not one square picture, or its output not one.
    case wrongShape = "wrong_shape"
    /// It gives other numbers than the entry says.
    case wrongValues = "wrong_values"
    case tooLarge = "too_large"
    case checksumDiffers = "checksum_differs"
    case nameTaken = "name_taken"
    /// Another network makes the matte.
    case matteTaken = "matte_taken"
    /// The worker ended while it tried it.
    case crashed
    case tooSlow = "too_slow"
    /// Its file cannot be fetched.
    case notFetched = "not_fetched"
    /// A file cannot be read or written, or the entry is damaged.
    case fileUnusable = "file_unusable"
  }

  public var kind: Kind
  /// For whoever runs the service.
  public var sentence: String

  public init(_ kind: Kind, _ sentence: String) {
    self.kind = kind
    self.sentence = sentence
  }
}
