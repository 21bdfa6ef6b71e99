// In units of n·E²: scores and outputs are n/E = 3 each, attention's four matrices 4, and the feed-forward part 8. Of
// the pairs 6 of 18 remain, and less in a shorter text.
const double share = 6.0 / (6 + 4 + 8);
const double twice = (4 * 6 + 2 * 12) / 18.0;
const double weights = 2304.0 * 2304 * 12 * 4 / (1024 * 1024);
const double kept = 2.0 * 2304 * 12 * 4 / 1024;
