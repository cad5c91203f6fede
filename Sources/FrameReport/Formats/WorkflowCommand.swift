/// `::error file=…,line=…,title=…::message`, escaped as the runner's own toolkit does.
enum WorkflowCommand {
  static func text(
    _ level: String, title: String, message: String, path: String? = nil, line: Int? = nil
  ) -> String {
    let properties = [("file", path), ("line", line.map(String.init)), ("title", title)]
      .compactMap { name, value in value.map { "\(name)=\(property($0))" } }
    return "::\(level) \(properties.joined(separator: ","))::\(escape(message, messageCodes))"
  }

  private static let messageCodes: [Unicode.Scalar: String] = ["%": "%25", "\r": "%0D", "\n": "%0A"]

  private static func property(_ text: String) -> String {
    escape(text, messageCodes.merging([":": "%3A", ",": "%2C"]) { first, _ in first })
  }

  private static func escape(_ text: String, _ codes: [Unicode.Scalar: String]) -> String {
    text.unicodeScalars.map { codes[$0] ?? String($0) }.joined()
  }
}
