import Foundation
import Synchronization

/// The variables of this process that the programs it starts get.
enum InheritedEnvironment {
  /// A list of further names, separated by commas, that reduced programs get too.
  static let passVariable = "SPRINGBENCH_PASS_ENVIRONMENT"

  private static let isReduced = Mutex(false)

  private static let names = Set([
    "PATH", "HOME", "USER", "LOGNAME", "SHELL", "TERM", "LANG", "LANGUAGE", "TZ", "TMPDIR", "CI",
    "XDG_CACHE_HOME",
    "XDG_CONFIG_HOME", "XDG_DATA_HOME", "http_proxy", "https_proxy", "no_proxy", "HTTP_PROXY", "HTTPS_PROXY",
    "NO_PROXY", "SSL_CERT_FILE", "SSL_CERT_DIR", "LD_LIBRARY_PATH", "LD_PRELOAD", "GLIBC_TUNABLES",
    "MALLOC_CONF",
  ]).union(compilerVariables)
  static let compilerVariables = [
    "CC", "CXX", "CFLAGS", "CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "PKG_CONFIG_PATH",
    "SDKROOT", "SWIFT_EXEC", "TOOLCHAINS",
  ]
  private static let prefixes = ["LC_", "SPRINGBENCH_", "SWIFT_"]

  /// From now on, programs get only what building and measuring takes, and what the user lists: other
  /// people's revisions run with the rights of this process, and should not get its secrets as well.
  static func reduce() { isReduced.withLock { $0 = true } }

  static var variables: [String: String] {
    let all = ProcessInfo.processInfo.environment
    return isReduced.withLock(\.self) ? reduced(all) : all
  }

  static func reduced(_ all: [String: String]) -> [String: String] {
    let passed = (all[passVariable] ?? "").split(separator: ",").map(\.trimmed)
    return all.filter { name, _ in
      names.contains(name) || passed.contains(name) || prefixes.contains { name.hasPrefix($0) }
    }
  }

  /// What a manifest seems to read and does not get, in order.
  static func withheld(_ all: [String: String], from manifest: String) -> [String] {
    let words = Set(manifest.matches(of: /[A-Za-z_][A-Za-z0-9_]+/).map { String($0.output) })
    return Set(all.keys).subtracting(reduced(all).keys).intersection(words).sorted()
  }
}
