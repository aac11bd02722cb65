extension FeedbackSubmit {
  public static let title = "Say what a result is worth"
  public static let errors: [ErrorKind] = [.permissionDenied, .notFound, .notFinished, .storageFull]

  public static let examples = [
    RequestExample(
      "Nearly right",
      FeedbackSubmit(generationId: ExampleValues.generationId, rating: 4, text: "The light is a little cold."),
      answer: Result(
        generationId: ExampleValues.generationId,
        feedback: History.Entry.Feedback(rating: 4, text: "The light is a little cold.")))
  ]
}
