/// The short name of a machine, which can also name a folder: `amd-epyc-4c`. In a class of equal machines, the name of
/// the machine itself follows the name of the class: `amd-epyc-4c/build-1`.
package enum MachineName {
  /// The help of the option `--machine`.
  package static let help = """
    Name of this machine in results, or class/name where machines of a class share a history (default: \
    SPRINGBENCH_MACHINE, else from its processor).
    """

  /// Returns the name of the machine or its class: from the flag, otherwise from `SPRINGBENCH_MACHINE`, otherwise from
  /// the processor and its cores.
  package static func resolve(flag: String?, _ context: CommandContext, of machine: Machine = .current())
    throws(UsageError) -> String
  {
    // Under a quota this process has fewer cores, but the machine is still the same.
    let coreCount = machine.wholeCoreCount ?? machine.coreCount
    return try names(flag, context).first ?? generated(cpuModel: machine.cpuModel, coreCount: coreCount)
  }

  /// Returns the machine's own name in its class. Nil if it belongs to no class.
  package static func member(flag: String?, _ context: CommandContext) throws(UsageError) -> String? {
    try names(flag, context).dropFirst().first
  }

  /// Returns the name of the machine or class, then the name in the class if there is one. Empty if no name is given.
  private static func names(_ flag: String?, _ context: CommandContext) throws(UsageError) -> [String] {
    let variable = "SPRINGBENCH_MACHINE"
    guard let text = flag ?? context.environment[variable], flag != nil || !text.isEmpty else { return [] }
    let source = flag == nil ? variable : "--machine"
    let names = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map { slug(String($0)) }
    guard !names.contains(nil) else {
      throw UsageError(
        source, "\"\(text)\" has no letter or digit to name a folder with",
        remedy: "give a name as in --machine build-server-1")
    }
    return names.compactMap(\.self)
  }

  package static func generated(cpuModel: String?, coreCount: Int) -> String {
    let model = cpuModel.map(withoutBoilerplate).flatMap(slug) ?? architecture
    return "\(model)-\(coreCount)c"
  }

  /// Returns the text reduced to lower-case letters, digits, dots, hyphens and underscores. Nil if nothing is left.
  package static func slug(_ text: String) -> String? {
    let plain = text.lowercased().replacing(/[^a-z0-9._]+/, with: "-")
    let name = plain.drop { "-.".contains($0) }.prefix(64).replacing(/[-.]+$/, with: "")
    return name.isEmpty ? nil : String(name)
  }

  /// Shortens `Intel(R) Xeon(R) Platinum 8370C CPU @ 2.80GHz` to `Intel Xeon Platinum 8370C`.
  private static func withoutBoilerplate(_ model: String) -> String {
    let words = model.prefix { $0 != "@" }.replacing(/\((?:R|TM|tm)\)/, with: "").split(separator: " ")
    return words.filter { !["CPU", "Processor"].contains($0) && !$0.hasSuffix("-Core") }.joined(separator: " ")
  }

  private static var architecture: String {
    #if arch(x86_64)
      "x86-64"
    #elseif arch(arm64)
      "arm64"
    #else
      "unknown"
    #endif
  }
}
