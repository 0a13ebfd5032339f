"""What the rules say about an operation to the errors that a user sees. The wording itself is in the rules."""
