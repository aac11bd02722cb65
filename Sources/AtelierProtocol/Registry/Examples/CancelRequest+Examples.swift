extension CancelRequest {
  public static let title = "Cancel a request"
  public static let example = CancelRequest(id: 1)
}
