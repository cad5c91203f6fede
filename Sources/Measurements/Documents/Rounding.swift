/// Times in documents are in tenths of a nanosecond: no clock here tells less apart.
package func inTenths(_ nanoseconds: Double) -> Double { (nanoseconds * 10).rounded() / 10 }
