/// `exit`: the process ends at once, with code 0 after `shutdown`, else 1.
public struct Exit: NotificationMessage, Parameterless {
  public static let method = "exit"

  public init() {}
}

extension Exit: SchemaDescribed {
  public static let summary = "The process ends at once, with code 0 after `shutdown`, else 1."
}
