"""The functions of PaddlePaddle; `library` puts them together."""
