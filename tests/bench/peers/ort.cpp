#include "tests/bench/peers/ort.h"

#include "tensor/create.h"
#include "tensor/ops/arithmetic.h"
#include "tensor/ops/pointwise.h"
#include "tensor/ops/reduce.h"
#include "tests/bench/peers.h"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <memory>

namespace regard::bench {
namespace {

// The library exports a single function, which leads to a table of all others. Newer versions append to the table, so
// that the place of a function in it, counted from 0, is the same in all.
enum class Entry : std::size_t {
  message_of_status = 2,
  create_environment = 3,
  create_session_from_bytes = 8,
  run = 9,
  create_options = 10,
  set_threads_within_operations = 24,
  set_threads_across_operations = 25,
  create_tensor_over_memory = 49,
  describe_processor_memory = 69,
  release_session = 95,
  release_tensor = 96,
  release_options = 100,
};

constexpr std::uint32_t table_version = 13;  // the oldest that has all of these and operations that we need

class Library {
 public:
  // nullptr if none is named. One that is named and cannot be loaded is an error.
  static const Library* find() {
    static const char* const path = std::getenv("ORT_LIBRARY");
    if (!path || !*path) return nullptr;
    static const Library library(path);
    return &library;
  }

  // Calls a function that returns nullptr or a status that describes an error.
  template <class... Arguments>
  void call(Entry entry, Arguments... arguments) const {
    if (const void* status = at<void*(Arguments...)>(entry)(arguments...))
      fail<Error>("ONNX Runtime: {}", at<const char*(const void*)>(Entry::message_of_status)(status));
  }
  void release(Entry entry, void* object) const { at<void(void*)>(entry)(object); }

  void* environment() const { return environment_; }
  void* memory() const { return memory_; }
  const std::string& version() const { return version_; }

 private:
  struct Root {
    void* const* (*table)(std::uint32_t version);
    const char* (*version)();
  };

  explicit Library(const char* path) {
    void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) fail<Error>("ORT_LIBRARY: {}", dlerror());
    void* root = dlsym(library, "OrtGetApiBase");
    if (!root) fail<Error>("ORT_LIBRARY: {} is not ONNX Runtime", path);
    const Root& base = *reinterpret_cast<const Root* (*)()>(root)();
    version_ = fmt::format("ONNX Runtime {}", base.version());
    table_ = base.table(table_version);
    if (!table_) fail<Error>("ORT_LIBRARY: {} is older than what is asked of it", path);
    constexpr int only_errors = 3, default_allocator = 0, default_kind = 0;
    call(Entry::create_environment, only_errors, "regard", &environment_);
    call(Entry::describe_processor_memory, default_allocator, default_kind, &memory_);
  }

  template <class Function>
  Function* at(Entry entry) const {
    return reinterpret_cast<Function*>(table_[static_cast<std::size_t>(entry)]);
  }

  std::string version_;
  void* const* table_ = nullptr;
  void *environment_ = nullptr, *memory_ = nullptr;
};

// A model that is ready to run, and its inputs and its output, which are tensors over our memory.
class Session {
 public:
  Session(const onnx::Operation& operation, const std::vector<Memory>& inputs, const std::vector<Memory>& constants,
          const Memory& output, int threads) {
    std::vector<onnx::Sizes> sizes;
    for (const Memory& x : inputs) sizes.push_back(x.sizes);
    std::vector<onnx::Constant> kept;
    for (const Memory& x : constants) kept.push_back({x.data, x.sizes});
    const std::string model = onnx::model(operation, sizes, kept, output.sizes);
    void* options = nullptr;
    library_.call(Entry::create_options, &options);
    library_.call(Entry::set_threads_within_operations, options, threads);
    library_.call(Entry::set_threads_across_operations, options, 1);
    library_.call(Entry::create_session_from_bytes, library_.environment(), static_cast<const void*>(model.data()),
                  model.size(), options, &session_);
    library_.release(Entry::release_options, options);
    for (const Memory& x : inputs) {
      names_.push_back(onnx::input_name(names_.size()));
      inputs_.push_back(tensor_over(x));
    }
    output_ = tensor_over(output);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;
  ~Session() {
    for (void* input : inputs_) library_.release(Entry::release_tensor, input);
    library_.release(Entry::release_tensor, output_);
    library_.release(Entry::release_session, session_);
  }

  void run() {
    std::array<const char*, most_inputs> names;
    std::transform(names_.begin(), names_.end(), names.begin(), [](const std::string& name) { return name.c_str(); });
    const char* output_name = onnx::output_name;
    void* const no_options = nullptr;
    library_.call(Entry::run, session_, no_options, names.data(), inputs_.data(), inputs_.size(), &output_name,
                  std::size_t{1}, &output_);
  }

 private:
  static constexpr std::size_t most_inputs = 2;

  void* tensor_over(const Memory& x) const {
    constexpr int f32 = 1;
    std::size_t bytes = sizeof(float);
    for (const std::int64_t size : x.sizes) bytes *= static_cast<std::size_t>(size);
    void* tensor = nullptr;
    library_.call(Entry::create_tensor_over_memory, library_.memory(), x.data, bytes, x.sizes.data(), x.sizes.size(),
                  f32, &tensor);
    return tensor;
  }

  const Library& library_ = *Library::find();
  void *session_ = nullptr, *output_ = nullptr;
  std::vector<void*> inputs_;
  std::vector<std::string> names_;
};

Memory memory_of(const Tensor& x) {
  return {const_cast<float*>(x.data<float>()), {x.shape().begin(), x.shape().end()}};
}

int threads_for_products = 1;

Multiply<float> prepare_product(const Product& p) {
  const onnx::Operation operation{
      "FusedMatMul", {{"transA", p.a_transposed}, {"transB", p.b_transposed}}, {}, "com.microsoft"};
  const auto sizes = [&p](std::int64_t rows, std::int64_t columns, bool transposed) {
    onnx::Sizes stored{transposed ? columns : rows, transposed ? rows : columns};
    if (p.batch > 1) stored.insert(stored.begin(), p.batch);
    return stored;
  };
  const onnx::Sizes of_a = sizes(p.m, p.k, p.a_transposed), of_b = sizes(p.k, p.n, p.b_transposed),
                    of_c = sizes(p.m, p.n, false);
  // The memory is known with the first call; whoever measures keeps to it.
  return [=, run = Run()](const float* a, const float* b, float* c) mutable {
    if (!run)
      run = ort(operation, {{const_cast<float*>(a), of_a}, {const_cast<float*>(b), of_b}}, {}, {c, of_c},
                threads_for_products);
    run();
  };
}

}  // namespace

bool has_ort() { return Library::find() != nullptr; }

Run ort(const onnx::Operation& operation, const std::vector<Memory>& inputs, const std::vector<Memory>& constants,
        const Memory& output, int threads) {
  const auto session = std::make_shared<Session>(operation, inputs, constants, output, threads);
  return [session] { session->run(); };
}

Peer ort() {
  return {"ort", prepare_product, nullptr, [](int count) { threads_for_products = count; }, Library::find()->version()};
}

void measure_ort(const Key& key, const onnx::Operation& operation, const std::function<Example()>& example) {
  if (!has_ort()) return;
  measure(key, "ort", {}, [=] {
    const Example x = example();
    const Tensor output = zeros(x.result.shape());
    std::vector<Memory> constants;
    for (const Tensor& constant : x.constants) constants.push_back(memory_of(constant));
    const Run run = ort(operation, {memory_of(x.input)}, constants, memory_of(output), key.threads);
    run();
    if (!(max(abs(output - x.result)).item() < 1e-4)) fail<Error>("ONNX Runtime computes another {}", operation.name);
    return [=, kept = std::pair(x.input, output)] { run(); };
  });
}

}  // namespace regard::bench
