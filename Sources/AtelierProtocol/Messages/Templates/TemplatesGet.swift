/// `templates/get`: one hairstyle of the library.
public struct TemplatesGet: RequestMessage {
  public static let method = "templates/get"

  @LimitedText<NameLength> public var id: String

  public init(id: String) {
    self.id = id
  }

  public typealias Result = Template
}

extension TemplatesGet: SchemaDescribed {
  public static let summary = "One hairstyle of the library."
}
