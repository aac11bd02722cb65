/// The format of a picture's file.
public enum PictureFormat: String, Codable, Sendable, CaseIterable {
  /// Small files without transparency.
  case jpeg
  /// Files without any loss, with transparency.
  case png
  /// Smaller files than both, with transparency.
  case webp

  /// The format of a headshot made on this machine that names none.
  public static func standard(for background: Background?) -> PictureFormat {
    background == .transparent ? .png : .jpeg
  }

  /// Whether a part of the picture can be transparent.
  public var hasTransparency: Bool { self != .jpeg }
  /// Whether a quality decides how large the file is and how exact the picture.
  public var hasQuality: Bool { self != .png }
}

/// How large and exact a picture is: from 1, the smallest file, to 100, the most exact picture.
public enum PictureQuality: IntegerRange { public static let range = 1...100 }

/// The most bytes that a picture's file may have.
public enum PictureBytes: IntegerRange { public static let range = 10_000...20_000_000 }

/// The fewest bytes that a picture's file may have.
public enum LeastPictureBytes: IntegerRange { public static let range = 1_000...20_000_000 }
