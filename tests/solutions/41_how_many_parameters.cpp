// Attention has four matrices of E² numbers, and the feed-forward part two of 4E², whatever the number of heads.
const double matrices = 4 * 32 * 32 + 2 * 32 * 128;
const double block = matrices + 4 * 32 + (128 + 32) + 2 * (32 + 32);
const double model = 3 * block + 100 * 32 + 64 * 32 + (32 + 32);
