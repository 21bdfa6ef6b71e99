// In the sorted row a token is needed if those before it have less than p together. The first has 0 before it, so one
// is always left. scatter_add takes the marks back to where the tokens stand.
Tensor top_p(const Tensor& logits, double p) {
  const Tensor order = argsort(logits, 1, SortOrder::descending);
  const Tensor sorted = softmax(gather(logits, 1, order), 1);
  const Tensor needed = less(cumsum(sorted, 1) - sorted, p);
  const Tensor marks = scatter_add(zeros_like(logits), 1, order, needed);
  return where(marks, logits, -INFINITY);
}
