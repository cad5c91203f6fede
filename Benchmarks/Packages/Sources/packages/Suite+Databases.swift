import FrameBench
import GRDB
import Statistics

extension Suite {
  /// Adds benchmarks of GRDB: reading and writing rows of an SQLite database in memory.
  mutating func addDatabases() {
    measure(
      "fetch", summary: "The players of a table are fetched as values, best first.", strategies: Fetch.allCases,
      sizes: [10, 1_000], throughput: .itemsOfSize, tags: ["grdb"], options: .init(frameCount: 50, warmUpFrameCount: 5),
      checksum: \.hashValue
    ) { fetch, context in
      let database = try DatabaseQueue.ofPlayers()
      context.tearDown { try database.close() }
      try database.write { try Insertion.records.insert(Player.some(context.size, seed: context.seed), $0) }
      return { try database.read(fetch.players) }
    }
    add(
      "insert", summary: "Players are inserted into an empty table, in one transaction.",
      strategies: Insertion.allCases, sizes: [10, 1_000], tags: ["grdb"],
      options: .init(quickSizes: [10], frameCount: 50, warmUpFrameCount: 5)
    ) { insertion, context in
      let players = Player.some(context.size, seed: context.seed)
      let database = try DatabaseQueue.ofPlayers()
      context.tearDown { try database.close() }
      return { _, timer in
        try database.write { try insertion.insert(players, $0) }
        timer.endFrame()
        return try database.write { try Player.removeAll($0) }
      }
    }
  }
}

extension DatabaseQueue {
  fileprivate static func ofPlayers() throws -> DatabaseQueue {
    let database = try DatabaseQueue()
    try database.write {
      try $0.execute(sql: "CREATE TABLE player (id INTEGER PRIMARY KEY, name TEXT NOT NULL, score INTEGER NOT NULL)")
    }
    return database
  }
}

private struct Player: Codable, Hashable, FetchableRecord, PersistableRecord {
  var id: Int
  var name: String
  var score: Int

  static func some(_ count: Int, seed: UInt64) -> [Player] {
    var random = SplitMix64(seed: seed)
    return (0..<count).map { Player(id: $0, name: "Player number \($0)", score: Int(random.next() % 1_000_000)) }
  }

  /// - Returns: A checksum of the removed players.
  static func removeAll(_ database: Database) throws -> UInt64 {
    var checksum = Checksum()
    for player in try Player.order(sql: "id").fetchAll(database) {
      checksum.combine(UInt64(player.id))
      checksum.combine(UInt64(player.score))
      for byte in player.name.utf8 { checksum.combine(whole: UInt64(byte)) }
    }
    try Player.deleteAll(database)
    return checksum.value
  }
}

/// Ways to turn a row into a value.
private enum Fetch: CaseIterable {
  case columnIndices, columnNames, codable

  func players(_ database: Database) throws -> [Player] {
    let request = SQLRequest<Row>(sql: "SELECT id, name, score FROM player ORDER BY score DESC, id")
    switch self {
    case .columnIndices:
      return try Array(request.fetchCursor(database).map { Player(id: $0[0], name: $0[1], score: $0[2]) })
    case .columnNames:
      return try Array(request.fetchCursor(database).map { Player(id: $0["id"], name: $0["name"], score: $0["score"]) })
    case .codable: return try Player.fetchAll(database, request)
    }
  }
}

/// Ways to turn a value into a row.
private enum Insertion: CaseIterable {
  /// Compiles one statement for all rows.
  case statement
  /// Compiles a statement for each row.
  case sql
  /// Inserts values that are `Codable` and `PersistableRecord`.
  case records

  private static let text = "INSERT INTO player (id, name, score) VALUES (?, ?, ?)"

  func insert(_ players: [Player], _ database: Database) throws {
    switch self {
    case .statement:
      let statement = try database.cachedStatement(sql: Self.text)
      for player in players { try statement.execute(arguments: [player.id, player.name, player.score]) }
    case .sql:
      for player in players { try database.execute(sql: Self.text, arguments: [player.id, player.name, player.score]) }
    case .records: for player in players { try player.insert(database) }
    }
  }
}
