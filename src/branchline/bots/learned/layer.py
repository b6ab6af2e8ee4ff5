"""One layer of a network in whole numbers, two cells to a word.

A word of 64 bits holds the sums of two cells, one in each half: adding a word of weights adds to both at once, and so
does multiplying by one input. What the lower half borrows from the upper one is given back when they are read. Sums
have 32 bits, hundreds of times what trained cells reach.
"""

from typing import Final

from librt.strings import read_i16_le, read_i64_le
from librt.vecs import append, vec
from mypy_extensions import i64

from branchline.engine.board import filled

HALF: Final[i64] = 32
"""Bits of half a word."""
LOWER: Final[i64] = 0xFFFFFFFF
SIGN: Final[i64] = 0x80000000
BLOCK: Final[i64] = 8
"""Words that are summed at a time, so that their sums stay in registers."""


class Layer:
    """Weights, input by input, and biases."""

    def __init__(self, cells: i64, shift: i64, weights: bytes, biases: bytes) -> None:
        """`weights`: 16 bits each; `biases`: 64 each, in the scale of the sums. Results are shifted down by `shift`."""
        self.cells: i64 = cells
        self.inputs: i64 = len(weights) // (2 * cells)
        self.shift: i64 = shift
        self.words: i64 = (cells + 2 * BLOCK - 1) // (2 * BLOCK) * BLOCK
        self.weights = filled(self.inputs * self.words, 0)
        i: i64 = 0
        while i < self.inputs * cells:
            at = i // cells * self.words + i % cells // 2
            weight = i64(read_i16_le(weights, 2 * i))
            self.weights[at] += weight << HALF if i % cells & 1 else weight
            i += 1
        self.biases = filled(self.words, 0)
        i = 0
        while i < cells:
            bias = read_i64_le(biases, 8 * i)
            self.biases[i // 2] += bias << HALF if i & 1 else bias
            i += 1

    def add(self, sums: vec[i64], which: vec[i64], by: vec[i64], n: i64) -> None:
        """Add what the first `n` inputs named in `which` give to every cell, each multiplied `by` its number."""
        weights = self.weights
        words = self.words
        word: i64 = 0
        while word < words:
            s0 = sums[word]
            s1 = sums[word + 1]
            s2 = sums[word + 2]
            s3 = sums[word + 3]
            s4 = sums[word + 4]
            s5 = sums[word + 5]
            s6 = sums[word + 6]
            s7 = sums[word + 7]
            i: i64 = 0
            while i < n:
                at = which[i] * words + word
                value = by[i]
                s0 += value * weights[at]
                s1 += value * weights[at + 1]
                s2 += value * weights[at + 2]
                s3 += value * weights[at + 3]
                s4 += value * weights[at + 4]
                s5 += value * weights[at + 5]
                s6 += value * weights[at + 6]
                s7 += value * weights[at + 7]
                i += 1
            sums[word] = s0
            sums[word + 1] = s1
            sums[word + 2] = s2
            sums[word + 3] = s3
            sums[word + 4] = s4
            sums[word + 5] = s5
            sums[word + 6] = s6
            sums[word + 7] = s7
            word += BLOCK

    def warm(self, sums: vec[i64], which: vec[i64], by: vec[i64]) -> i64:
        """Note the cells that hold more than nothing, and what they hold, shifted down; how many there are."""
        shift = self.shift
        n: i64 = 0
        cell: i64 = 0
        while cell < self.cells:
            word = sums[cell >> 1]
            lower = ((word + SIGN) & LOWER) - SIGN
            held = lower >> shift
            if held > 0:
                which[n] = cell
                by[n] = held
                n += 1
            held = ((word - lower) >> HALF) >> shift
            if held > 0 and cell + 1 < self.cells:
                which[n] = cell + 1
                by[n] = held
                n += 1
            cell += 2
        return n


class Outputs:
    """The last layer: only the outputs that are asked for are worked out, so their weights stand output by output."""

    def __init__(self, cells: i64, shift: i64, weights: bytes, biases: bytes) -> None:
        self.cells: i64 = cells
        self.inputs: i64 = len(weights) // (2 * cells)
        self.shift: i64 = shift
        self.weights = vec[i64](capacity=cells * self.inputs)
        self.biases = vec[i64](capacity=cells)
        cell: i64 = 0
        while cell < cells:
            self.biases = append(self.biases, read_i64_le(biases, 8 * cell))
            i: i64 = 0
            while i < self.inputs:
                self.weights = append(self.weights, i64(read_i16_le(weights, 2 * (i * cells + cell))))
                i += 1
            cell += 1

    def output(self, cell: i64, which: vec[i64], by: vec[i64], n: i64) -> i64:
        """What one output is for the `n` inputs named in `which`, each as large as `by` says."""
        weights = self.weights
        at = cell * self.inputs
        total = self.biases[cell]
        i: i64 = 0
        while i < n:
            total += by[i] * weights[at + which[i]]
            i += 1
        return total >> self.shift
