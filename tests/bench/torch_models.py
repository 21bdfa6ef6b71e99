"""Whole models in PyTorch, as its modules and common practice have them: the steps of tests/bench/transformer.cpp."""

import torch
from torch import nn
from torch.nn import functional


def step_of(parameters, loss):
    """One step of training, with PyTorch's fastest Adam on a CPU."""
    optimizer = torch.optim.Adam(parameters, foreach=True)

    def run():
        optimizer.zero_grad(set_to_none=True)
        loss().backward()
        optimizer.step()

    return run


def tokens(*shape, vocabulary):
    return torch.randint(0, vocabulary, shape)


class Translation(nn.Module):
    def __init__(self):
        super().__init__()
        self.source, self.target = nn.Embedding(64, 128), nn.Embedding(64, 128)
        self.transformer = nn.Transformer(128, 4, 2, 2, 512, dropout=0.0, batch_first=True)
        self.output = nn.Linear(128, 64, bias=False)
        angles = torch.arange(24).unsqueeze(1) * 10000 ** (-torch.arange(0, 128, 2) / 128)
        self.register_buffer("positions", torch.stack([angles.sin(), angles.cos()], -1).flatten(1))
        self.register_buffer("later", torch.full((24, 24), float("-inf")).triu(1))

    def forward(self, source, target):
        embedded = [table(x) * 128**0.5 + self.positions for table, x in ((self.source, source), (self.target, target))]
        return self.output(self.transformer(*embedded, tgt_mask=self.later))


def translation():
    model, source, target = Translation(), tokens(64, 24, vocabulary=64), tokens(64, 25, vocabulary=64)
    return step_of(model.parameters(), lambda: functional.cross_entropy(
        model(source, target[:, :-1]).flatten(0, 1), target[:, 1:].flatten()))


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm1, self.norm2 = nn.LayerNorm(128), nn.LayerNorm(128)
        self.into, self.out = nn.Linear(128, 3 * 128), nn.Linear(128, 128)
        self.up, self.down = nn.Linear(128, 512), nn.Linear(512, 128)
        self.register_buffer("later", torch.ones(64, 64).triu(1).bool())

    def forward(self, x):
        b, length, _ = x.shape
        q, k, v = (part.view(b, length, 4, 32).transpose(1, 2) for part in self.into(self.norm1(x)).split(128, 2))
        scores = (q @ k.transpose(-2, -1) / 32**0.5).masked_fill(self.later, float("-inf"))
        x = x + self.out((torch.softmax(scores, -1) @ v).transpose(1, 2).reshape(b, length, 128))
        return x + self.down(functional.gelu(self.up(self.norm2(x)), approximate="tanh"))


class Gpt(nn.Module):
    def __init__(self):
        super().__init__()
        self.tokens, self.positions = nn.Embedding(512, 128), nn.Embedding(64, 128)
        self.blocks = nn.Sequential(*(Block() for _ in range(4)))
        self.norm = nn.LayerNorm(128)

    def forward(self, x):
        x = self.tokens(x) + self.positions(torch.arange(x.shape[1]))
        return functional.linear(self.norm(self.blocks(x)), self.tokens.weight)


def gpt():
    model, text = Gpt(), tokens(4, 65, vocabulary=512)
    return step_of(model.parameters(), lambda: functional.cross_entropy(
        model(text[:, :-1]).flatten(0, 1), text[:, 1:].flatten()))
