"""The functions of TensorFlow, by topic; `library` puts them together."""
