"""The functions of PaddlePaddle; `library` collects them."""
