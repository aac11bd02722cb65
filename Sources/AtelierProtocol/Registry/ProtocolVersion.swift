/// The version of the protocol. It changes only when a client written for the one before would break.
public enum ProtocolVersion {
  public static let current = "1"
}
