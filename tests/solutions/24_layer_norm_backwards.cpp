// In Σ h·dx̂, with dx̂ = r·(dx − mean(dx) − x̂·mean(x̂·dx)), the sums change places: Σ h·mean(dx) is Σ mean(h)·dx, etc.
// γ and β are used in each row, so their gradients are summed over the rows.
graph::Gradients layer_norm_rule(const Variable& x, const Variable& gamma, double epsilon, const Variable& d_y) {
  const Variable away = x - mean(x, -1, keepdim);
  const Variable r = rsqrt(mean(square(away), -1, keepdim) + epsilon);
  const Variable x_hat = away * r, h = d_y * gamma;
  const Variable d_x = r * (h - mean(h, -1, keepdim) - x_hat * mean(h * x_hat, -1, keepdim));
  return gradients(d_x, sum(d_y * x_hat, 0), sum(d_y, 0));
}
