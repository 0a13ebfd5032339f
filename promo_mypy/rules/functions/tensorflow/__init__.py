"""The functions of TensorFlow, by topic; `library` collects them."""
