"""What is in use where a call names nothing: promotion system, backend, systems of the user's own."""
