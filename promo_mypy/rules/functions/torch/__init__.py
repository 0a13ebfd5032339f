"""The functions of PyTorch, by topic; `library` puts them together. The layers of torch.nn, and autocast."""
