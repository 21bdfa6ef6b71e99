#include "nn/distributed/global_gradients.h"

#include "autograd/ancestors.h"
#include "nn/distributed/exchange.h"
#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/join.h"
#include "tensor/view.h"

#include <map>
#include <set>

namespace regard::distributed {
namespace {

struct Generators : nn::Visitor {
  std::vector<Generator*> found;
  void on_generator(const std::string&, Generator& generator) override { found.push_back(&generator); }
};

// Each micro-batch has so many numbers of a generator's stream to itself.
constexpr int bits_of_micro_batch = 32;

Generator for_micro_batch(const Generator& start, std::int64_t m) {
  return Generator(start.seed(), start.position() + (static_cast<std::uint64_t>(m) << bits_of_micro_batch));
}

// Leaves are older than all results, so the walk back comes to them last. Here each is known as soon as its gradient is
// complete: when as many gradients have arrived at it as it has uses.
class LeavesEarly : public Observer {
 public:
  using Complete = std::function<void(const Variable& leaf, const Variable& gradient)>;
  LeavesEarly(const Variable& loss, Complete complete) : complete_(std::move(complete)) {
    if (loss.is_leaf()) missing_[loss.order()] = 1;
    graph::for_each_ancestor({loss}, [&](const Variable& x) {
      if (x.node())
        for (const Variable& input : x.node()->inputs)
          if (input.is_leaf() && input.requires_grad()) ++missing_[input.order()];
      return true;
    });
  }

  void gradient(const GradientMade& event) override {
    const auto missing = missing_.find(event.of.order());
    if (missing == missing_.end() || event.by == GradientMade::By::hook) return;
    const bool is_sum = event.by == GradientMade::By::sum;
    if (!is_sum && !first_.insert(event.of.order()).second) return;  // it will be told again, as part of a sum
    if (--missing->second == 0) complete_(event.of, event.made);
  }

 private:
  std::map<std::uint64_t, int> missing_;  // by order of the leaf
  std::set<std::uint64_t> first_;         // leaves at which a gradient has arrived
  Complete complete_;
};

}  // namespace

GlobalGradients::GlobalGradients(const nn::Members& model, Communicator& ranks, const GlobalGradientOptions& options)
    : ranks_(ranks), micro_batches_(options.micro_batches) {
  if (micro_batches_ < ranks.size())
    fail<ValueError>("GlobalGradients: {} micro-batches are too few for {} ranks: each needs one", micro_batches_,
                     ranks.size());
  Generators generators;
  model(generators);
  generators_ = std::move(generators.found);
  // The backward pass completes the last parameters first.
  const auto named = nn::named_parameters(model);
  std::int64_t bytes = options.bucket_bytes;
  for (auto one = named.rbegin(); one != named.rend(); ++one) {
    if (!one->parameter.requires_grad()) continue;  // it is frozen
    const DType dtype = one->parameter.dtype();
    if (bytes >= options.bucket_bytes || buckets_.back().dtype != dtype) {
      buckets_.push_back({{}, dtype});
      bytes = 0;
    }
    buckets_.back().parameters.push_back(parameters_.size());
    parameters_.push_back(one->parameter);
    bytes += one->parameter.numel() * static_cast<std::int64_t>(size_of(dtype));
  }
}

// One call of reduce. A bucket is sent on its way as soon as the backward pass of the last micro-batch has completed
// the gradients in it; buckets start in the order of their numbers, which is the same at all ranks.
class GlobalGradients::Pass {
 public:
  explicit Pass(GlobalGradients& g)
      : g_(g), sums_(g.parameters_.size(), TreeSum(g.micro_batches_)), arrived_(sums_.size()) {
    for (std::size_t p = 0; p < sums_.size(); ++p) {
      g_.parameters_[p].clear_gradient();
      numbers_[g_.parameters_[p].order()] = p;
    }
  }
  Pass(const Pass&) = delete;
  Pass& operator=(const Pass&) = delete;

  // Gradients of the micro-batches of this rank; whatever is complete is sent.
  void compute(const std::function<Share(std::int64_t)>& share) {
    std::vector<Generator> start;
    for (const Generator* generator : g_.generators_) start.push_back(*generator);
    const auto set_generators = [&](std::int64_t m) {
      for (std::size_t i = 0; i < start.size(); ++i) *g_.generators_[i] = for_micro_batch(start[i], m);
    };
    const Leaves mine = leaves_of(g_.ranks_.rank(), g_.ranks_.size(), g_.micro_batches_);
    TreeSum losses(g_.micro_batches_);
    for (micro_batch_ = mine.begin; micro_batch_ < mine.end; ++micro_batch_) {
      is_last_ = micro_batch_ + 1 == mine.end;
      set_generators(micro_batch_);
      const Share one = share(micro_batch_);
      const bool has_samples = one.count > 0;
      losses.push_leaf(micro_batch_, tensor({has_samples ? one.loss.item() : 0, one.count}, DType::f64));
      if (is_last_) begin_exchange(0, losses.subtrees());
      if (has_samples) {
        const LeavesEarly leaves(one.loss, [this](const Variable& leaf, const Variable& gradient) {
          if (const auto p = numbers_.find(leaf.order()); p != numbers_.end()) take(p->second, gradient.value());
        });
        one.loss.backward();
      }
      finish_micro_batch();
    }
    set_generators(g_.micro_batches_);  // where the next batch begins
  }

  // Waits for the sums of all, and leaves the gradients. Returns the mean loss.
  double divide() {
    for (const auto& exchange : exchanges_) exchange->finish();  // no message may outlive this pass
    const std::vector<double> numbers = to_vector(exchanges_[0]->total());
    const double loss = numbers[0], count = numbers[1];
    if (!(count > 0)) fail<ValueError>("GlobalGradients: no micro-batch has a sample");
    for (std::size_t b = 0; b < g_.buckets_.size(); ++b) {
      const Tensor total = exchanges_[b + 1]->total();
      exchanges_[b + 1].reset();
      std::int64_t begin = 0;
      for (const std::size_t p : g_.buckets_[b].parameters) {
        Variable& parameter = g_.parameters_[p];
        const Tensor sum = slice(total, 0, begin, begin + parameter.numel());
        set_gradient(parameter, reshape(sum / count, parameter.shape()));
        begin += parameter.numel();
      }
    }
    return loss / count;
  }

 private:
  void take(std::size_t p, const Tensor& gradient) {
    sums_[p].push_leaf(micro_batch_, contiguous(gradient));
    arrived_[p] = true;
    if (is_last_) start_complete_buckets();
  }

  // What the loss of this micro-batch does not depend on has the gradient 0 there.
  void finish_micro_batch() {
    for (std::size_t p = 0; p < sums_.size(); ++p) {
      if (!arrived_[p]) sums_[p].push_leaf(micro_batch_, zeros(g_.parameters_[p].shape(), g_.parameters_[p].dtype()));
      arrived_[p] = is_last_;
      g_.parameters_[p].clear_gradient();
    }
    if (is_last_) start_complete_buckets();
  }

  void start_complete_buckets() {
    for (; next_ < g_.buckets_.size(); ++next_) {
      for (const std::size_t p : g_.buckets_[next_].parameters)
        if (!arrived_[p]) return progress();
      begin_exchange(static_cast<int>(next_) + 1, subtrees(next_));
    }
    progress();
  }

  void begin_exchange(int tag, std::vector<TreeSum::Subtree> own) {
    exchanges_.push_back(std::make_unique<Exchange>(g_.ranks_, tag, g_.micro_batches_, std::move(own)));
  }
  void progress() {
    for (const auto& exchange : exchanges_) exchange->progress();
  }

  // The sums of all gradients in a bucket, one behind the other: one long tensor for each node of the tree. They are
  // needed nowhere else, and given up here.
  std::vector<TreeSum::Subtree> subtrees(std::size_t bucket) {
    const std::vector<std::size_t>& members = g_.buckets_[bucket].parameters;
    std::vector<TreeSum::Subtree> subtrees;
    for (std::size_t i = 0; i < sums_[members[0]].subtrees().size(); ++i) {
      std::vector<Tensor> flat;
      for (const std::size_t p : members) flat.push_back(flatten(sums_[p].subtrees()[i].sum));
      subtrees.push_back({sums_[members[0]].subtrees()[i].node, flat.size() == 1 ? flat[0] : cat(flat, 0)});
    }
    for (const std::size_t p : members) sums_[p] = TreeSum(g_.micro_batches_);
    return subtrees;
  }

  GlobalGradients& g_;
  std::vector<TreeSum> sums_;                         // of the gradients of each parameter
  std::vector<char> arrived_;                         // is the gradient of each parameter there, for this micro-batch?
  std::map<std::uint64_t, std::size_t> numbers_;      // of each parameter, by its order
  std::vector<std::unique_ptr<Exchange>> exchanges_;  // first that of losses and counts, then those of the buckets
  std::int64_t micro_batch_ = 0;
  bool is_last_ = false;
  std::size_t next_ = 0;  // bucket to begin with
};

double GlobalGradients::reduce(const std::function<Share(std::int64_t)>& share) {
  Pass pass(*this);
  try {
    pass.compute(share);
  } catch (const std::exception& error) {
    // The others wait for what will not come, and messages are on their way.
    if (ranks_.size() > 1) ranks_.end_all(fmt::format("rank {}: {}", ranks_.rank(), error.what()));
    throw;
  }
  return pass.divide();
}

}  // namespace regard::distributed
