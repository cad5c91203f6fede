// The compiler imports this module wherever a file imports both Testing and a module named UIKit. On Apple's platforms,
// it lets a test attach images. Here it is empty.
