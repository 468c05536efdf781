"""The area `passes`: programs for every pass, and laws of what it makes of them."""
