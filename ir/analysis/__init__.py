"""What can be known about a program without changing it."""
