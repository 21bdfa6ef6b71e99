// The mean of the squares is that of each row; ε stands below the root.
Tensor my_rms_norm(const Tensor& x, const Tensor& gamma, double epsilon) {
  return gamma * x * rsqrt(mean(square(x), -1, keepdim) + epsilon);
}

// The rule of the layer norm without the part that comes from μ: h less its part along x̂, times r.
RmsGradients my_rms_rule(const Tensor& x, const Tensor& gamma, double epsilon, const Tensor& d_y) {
  const Tensor r = rsqrt(mean(square(x), -1, keepdim) + epsilon), x_hat = x * r, h = gamma * d_y;
  return {r * (h - x_hat * mean(h * x_hat, -1, keepdim)), sum(d_y * x_hat, 0)};
}
