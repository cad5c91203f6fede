import Testing

@testable import SpringPeers

@Suite struct HeapCourseTests {
  @Test func aHeapFallsOnEveryEngine() throws {
    let heap = HeapCourse.Heap(strategy: .both, count: 30)
    let courses = try HeapCourse.measure(heap, seed: 3, runs: 2, frames: 120)
    #expect(courses.map(\.contestant) == HeapContestant.allCases)
    for course in courses {
      #expect(course.frames.count == 120 && course.cost > 0)
      // After the fall, the items have lost some of their energy, and lie on each other with small overlaps.
      #expect(try #require(course.frames.last).energy < 0.9)
      #expect(course.finalOverlap < 5 && course.deepestOverlap < 30)
    }
    let picture = HeapPicture(courses: courses).render()
    #expect(picture.hasPrefix("<svg") && picture.components(separatedBy: "<polyline").count == 10)
    for contestant in HeapContestant.allCases { #expect(picture.contains(contestant.name)) }
  }

  @Test func aCourseSaysWhenAllSleepAndHowTheEnergyGrew() {
    let frames = [(1.0, 2), (0.5, 2), (0.6, 1), (0.4, 0), (0.4, 0)].map {
      HeapCourse.Frame(nanoseconds: 100, overlap: $0.0, energy: $0.0, awakeCount: $0.1)
    }
    var course = HeapCourse(heap: HeapCourse.Heap(strategy: .discs, count: 2), contestant: .engine, frames: frames)
    #expect(course.timeToSleep == 4.0 / 60 && abs(course.growth - 0.1) < 1e-12)
    #expect(course.deepestOverlap == 1 && course.finalOverlap == 0.4)
    #expect(course.cost == 100 && course.meanCost == 100)
    course.frames.removeLast(2)
    #expect(course.timeToSleep == nil)
  }
}
