/// Which version of Atelier this is (semantic versioning).
public enum Version {
  public static let current = "0.1.0"
}
