#include "tensor/loops/map.h"

#include "tensor/loops/patches.h"

namespace regard::loops {
namespace {

constexpr std::size_t most_tensors = 4;  // the target, which is number 0, and up to three operands

// Where the elements of a tensor begin. Of which type they are is known only now, when the program runs.
struct Memory {
  std::byte* first = nullptr;
  DType dtype = DType::f32;

  Memory() = default;
  explicit Memory(const Tensor& x) : first(const_cast<std::byte*>(x.bytes())), dtype(x.dtype()) {}
  std::int64_t element_bytes() const { return static_cast<std::int64_t>(size_of(dtype)); }
  std::byte* at(std::int64_t offset) const { return first + offset * element_bytes(); }
};

// What the loop runs over.
struct Tensors {
  std::array<Memory, most_tensors> memory;
  std::size_t count = 1;

  Tensors(const Tensor& target, std::initializer_list<const Tensor*> operands) : memory{Memory(target)} {
    for (const Tensor* x : operands) memory[count++] = Memory(*x);
  }
};

// Where all elements lie side by side, in every tensor, the loop needs no help.
void run_side_by_side(const Tensors& all, std::int64_t total, DenseLoop loop) {
  parallel_for(total, items_of_a_task(1), [&](std::int64_t begin, std::int64_t end) {
    std::array<const void*, most_tensors> at{};
    for (std::size_t n = 0; n < all.count; ++n) at[n] = all.memory[n].at(begin);
    loop(all.memory[0].at(begin), at.data() + 1, end - begin);
  });
}

// From this length on a row is worth a call of the loop. Shorter rows must follow one another without gaps, so that one
// call is enough for all of them.
constexpr std::int64_t long_row = 64;

// copy_patch, where types are known at run time only.
void copy_any_patch(DType dtype, void* into, const Patch& target, const void* from, const Patch& source) {
  dispatch_stored(dtype,
                  [&]<class T>(T) { copy_patch(static_cast<T*>(into), target, static_cast<const T*>(from), source); });
}

// Runs the loop over one patch. What does not lie as the loop wants it is copied into a buffer before; the result, if
// it must, out of one afterwards.
void run_patch(const Tensors& all, const Patches<most_tensors>& patches, std::int64_t number, DenseLoop loop) {
  alignas(cache_line_bytes) std::byte buffer[most_tensors][Patches<most_tensors>::most_bytes];
  const auto piece = patches.piece(number);
  const Patch dense{piece.rows, piece.columns, piece.columns, 1};
  const bool by_rows = piece.columns >= long_row;
  std::array<std::byte*, most_tensors> first{};
  std::array<std::int64_t, most_tensors> row_bytes{};
  bool target_is_aside = false;
  for (std::size_t n = 0; n < all.count; ++n) {
    const Memory& memory = all.memory[n];
    const Patch patch = patches.patch(piece, n);
    first[n] = memory.at(piece.offsets[n]);
    row_bytes[n] = patch.row_step * memory.element_bytes();
    if (by_rows ? patch.column_step == 1 : patch.is_dense()) continue;
    if (n == 0)
      target_is_aside = true;
    else
      copy_any_patch(memory.dtype, buffer[n], dense, first[n], patch);
    first[n] = buffer[n];
    row_bytes[n] = piece.columns * memory.element_bytes();
  }

  const std::int64_t calls = by_rows ? piece.rows : 1, count = piece.rows * piece.columns / calls;
  for (std::int64_t call = 0; call < calls; ++call) {
    std::array<void*, most_tensors> at;
    for (std::size_t n = 0; n < most_tensors; ++n) at[n] = first[n] + call * row_bytes[n];
    loop(at[0], at.data() + 1, count);
  }
  if (target_is_aside)
    copy_any_patch(all.memory[0].dtype, all.memory[0].at(piece.offsets[0]), patches.patch(piece, 0), buffer[0], dense);
}

void run_in_patches(const Tensors& all, const Walk<most_tensors>& walk, DenseLoop loop) {
  std::int64_t widest = 0;
  for (const Memory& memory : all.memory) widest = std::max(widest, memory.element_bytes());
  const Patches<most_tensors> patches(walk, widest);
  parallel_for(patches.count(), items_of_a_task(patches.elements_of_a_patch()),
               [&](std::int64_t begin, std::int64_t end) {
                 for (std::int64_t number = begin; number < end; ++number) run_patch(all, patches, number, loop);
               });
}

}  // namespace

void run_dense(Tensor target, std::initializer_list<const Tensor*> operands, DenseLoop loop) {
  if (target.numel() == 0) return;
  const Tensors all(target, operands);
  const auto lies_side_by_side = [&](const Tensor* x) { return x->is_contiguous() && x->shape() == target.shape(); };
  if (lies_side_by_side(&target) && std::all_of(operands.begin(), operands.end(), lies_side_by_side))
    return run_side_by_side(all, target.numel(), loop);
  std::array<Strides, most_tensors> strides;
  strides.fill(Strides::filled(target.rank(), 0));
  strides[0] = target.strides();
  std::transform(operands.begin(), operands.end(), strides.begin() + 1,
                 [&](const Tensor* x) { return broadcast_strides(*x, target.shape()); });
  run_in_patches(all, Walk<most_tensors>(target.shape(), strides), loop);
}

}  // namespace regard::loops
