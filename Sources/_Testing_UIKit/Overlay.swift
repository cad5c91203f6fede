// The compiler imports this module wherever a file imports both Testing and a module named UIKit: on Apple's platforms
// it lets a test attach images. Here there are none.
