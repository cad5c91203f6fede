/// Decides which items are solved in closed form, and which as rigid bodies.
extension DynamicAnimator {
  func attach(_ behavior: AttachmentBehavior) throws(DynamicsError) {
    let item = behavior.item
    // A spring does not need the item's size, but a later collision would.
    try CoupledItems.check(item)
    if behavior.isPlain, behavior.parent == nil, coupled.pointee.slot(of: item) == nil, !anchored.pointee.contains(item)
    {
      return try anchored.pointee.add(behavior)
    }
    try behavior.check()
    toWorld(item)
    if let other = behavior.attachedItem { toWorld(other) }
    coupled.pointee.attach(behavior)
  }

  func detach(_ behavior: AttachmentBehavior) {
    guard behavior.index != nil else { return anchored.pointee.remove(behavior) }
    coupled.pointee.detach(behavior)
    toClosedForm(behavior.item)
    if let other = behavior.attachedItem { toClosedForm(other) }
  }

  /// Creates or updates the item's body after the item was added to a group.
  func couple(_ item: any DynamicItem) {
    toWorld(item)
    coupled.pointee.retain(item)
    coupled.pointee.refresh(item)
  }

  /// Updates the item's body after the item was removed from a group, or removes the body if nothing else needs it.
  func uncouple(_ item: any DynamicItem) {
    coupled.pointee.refresh(item)
    coupled.pointee.release(item)
    toClosedForm(item)
  }

  /// Moves the item's spring to the rigid-body solver if the spring is still solved in closed form.
  private func toWorld(_ item: any DynamicItem) {
    guard let (spring, velocity) = anchored.pointee.take(item) else { return }
    coupled.pointee.attach(spring)
    coupled.pointee.setVelocity(velocity, of: item)
  }

  /// Moves the item's spring back to the closed form if nothing else holds the item and the item does not turn.
  private func toClosedForm(_ item: any DynamicItem) {
    guard let (spring, velocity) = coupled.pointee.lonelySpring(of: item) else { return }
    // If this fails, the rigid-body solver keeps the spring.
    guard (try? anchored.pointee.add(spring)) != nil else { return }
    coupled.pointee.detach(spring)
    anchored.pointee.setVelocity(velocity, of: item)
    // Other behaviors may have held the item at rest, so it may move now.
    resume()
  }

  /// Applies a new length, damping or frequency, and moves the attachment to the other solver if necessary.
  func valuesChanged(of behavior: AttachmentBehavior) {
    if behavior.index != nil {
      coupled.pointee.valuesChanged(of: behavior)
      toClosedForm(behavior.item)
    } else if !behavior.isPlain || !anchored.pointee.valuesChanged(of: behavior) {
      toWorld(behavior.item)
    }
    resume()
  }

  func wake(_ item: any DynamicItem) {
    if let slot = coupled.pointee.slot(of: item) { coupled.pointee.world.bodies.wake(slot) }
  }

  func resumeIfAwake() { if !coupled.pointee.world.isResting { resume() } }
}
