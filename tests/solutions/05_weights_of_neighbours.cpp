// Softmax takes powers and divides by their sum, as the formula says; that it first subtracts the largest score changes
// no share, and the nearest place has the power 1 however far away it is.
Tensor neighbour_weights(double x, const Tensor& places, double w) {
  return softmax(square(x - places) * (-w * w / 2), 0);
}
