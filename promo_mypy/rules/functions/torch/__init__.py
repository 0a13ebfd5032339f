"""The functions of PyTorch, by topic; `library` collects them. Also the layers of torch.nn, and autocast."""
