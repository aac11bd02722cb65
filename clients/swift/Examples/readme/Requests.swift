import AtelierClient

func requests() async throws {
  var options = Studio.Options()
  options.trusted = true
  try await withStudio(options) { studio in
    let changes = studio.notifications(CreditsChanged.self)
    _ = try await studio.send(CreditsGrant(account: "ada", amount: 20, reason: "a gift", idempotencyKey: "payment 1"))
    for await change in changes {
      print(change.account, "has", change.available)
      break
    }

    var request = History(account: "*", limit: 50)
    repeat {
      let page = try await studio.send(request)
      for entry in page.entries { print(entry.createdAt, entry.state) }
      request.cursor = page.nextCursor
    } while request.cursor != nil
  }
}
