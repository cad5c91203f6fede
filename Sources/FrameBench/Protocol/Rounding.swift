/// Times in documents are in tenths of a nanosecond: no clock here is more precise.
package func inTenths(_ nanoseconds: Double) -> Double { (nanoseconds * 10).rounded() / 10 }

/// Times of calls that were repeated for the clock's sake are finer.
package func inThousandths(_ nanoseconds: Double) -> Double { (nanoseconds * 1_000).rounded() / 1_000 }
