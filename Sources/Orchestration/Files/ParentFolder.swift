/// The folder of a path, without a slash at its end: `a` of `a/b`, empty of `a`, `/` of `/a`.
///
/// `NSString.deletingLastPathComponent` of Foundation 6.3 traps on a relative path of one character.
func parentFolder(of path: String) -> String {
  let trimmed = path.lastIndex { $0 != "/" }.map { path[...$0] } ?? "/"
  guard let slash = trimmed.lastIndex(of: "/") else { return "" }
  let folder = trimmed[..<slash]
  return folder.lastIndex { $0 != "/" }.map { String(folder[...$0]) } ?? "/"
}
