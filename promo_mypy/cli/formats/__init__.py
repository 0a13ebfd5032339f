"""Write the answers of the commands as text, JSON or HTML."""
