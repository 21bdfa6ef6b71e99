// b was repeated along all axes but the last, so its gradient is summed over all of them. (The library has this as
// sum_to(d_y, shape of b).)
Tensor bias_rule(const Tensor& d_y) { return sum(reshape(d_y, {-1, d_y.size(-1)}), 0); }
