#include "tensor/loops/map.h"

#include "tensor/loops/past_caches.h"
#include "tensor/loops/tile.h"

namespace regard::kernels {
namespace {

constexpr std::size_t most_paths = 4;  // the target's, and those of three operands
using Paths = Walk<most_paths>;

constexpr std::int64_t tile_elements = 1024;  // with four paths of 8 bytes they fit into the first cache
constexpr std::int64_t long_row = 64;         // from here on a row is worth a call of the loop

// Of a long row of numbers that lie apart so many are gathered, computed and written at a time: memory is to be busy with all
// three at once.
constexpr std::int64_t gathered_piece = 128;

// A tile that is read across the grain of memory: two cache lines of the operand high, as processors fetch them in pairs,
// and so wide that the rows of the others are long stretches of memory, but no wider: columns of the operand that lie whole pages
// apart meet in few sets of the second cache, and are to stay there until they are used.
constexpr std::int64_t across_height = 2 * cache_line_bytes, across_width = 640;  // in bytes
constexpr std::int64_t buffer_bytes = std::max(tile_elements * 8, across_height* across_width / 4);

// The walk cut into tiles, which take their columns from the last axis and their rows from another one.
struct Tiling {
  int row_axis = 0, column_axis = 0;
  std::int64_t rows = 1, columns = 1;  // of a tile
  bool is_across = false;
  bool is_gathered = false;  // a part of one row

  Tiling(const Paths& walk, std::int64_t element_bytes) : row_axis(walk.rank() - 2), column_axis(walk.rank() - 1) {
    const auto& along_row = walk.steps(column_axis);
    const bool has_gaps =
        std::any_of(along_row.begin(), along_row.end(), [](auto step) { return step < 0 || step > 1; });
    is_gathered = has_gaps && walk.size(column_axis) >= short_piece;
    const std::int64_t elements = has_gaps && !is_gathered ? short_piece : tile_elements;
    columns = std::min(walk.size(column_axis), elements);
    if (row_axis < 0) return;
    rows = is_gathered ? 1 : std::min(walk.size(row_axis), elements / columns);
    for (int axis = 0; axis < column_axis; ++axis)
      for (std::size_t n = 0; n < most_paths; ++n)
        if (walk.steps(axis)[n] == 1 && walk.steps(column_axis)[n] != 0) {  // contiguous, but not along the last axis
          is_across = true;
          is_gathered = false;
          row_axis = axis;
          rows = std::min(walk.size(axis), across_height / element_bytes);
          columns = std::min(walk.size(column_axis), across_width / element_bytes);
        }
  }
};

// One tensor under the walk.
struct Path {
  std::byte* first = nullptr;
  DType dtype = DType::f32;

  Path() = default;
  explicit Path(const Tensor& x) : dtype(x.dtype()) {
    dispatch(dtype, [&](auto zero) {
      using T = decltype(zero);
      first = reinterpret_cast<std::byte*>(const_cast<T*>(x.data<T>()));
    });
  }
  std::int64_t element_bytes() const { return static_cast<std::int64_t>(size_of(dtype)); }
  std::byte* at(std::int64_t offset) const { return first + offset * element_bytes(); }
};

// Whether the rows of tiles are written past the caches: the target is large, and each of them begins on a cache line.
bool rows_go_past_caches(const Paths& walk, const Tiling& tiling, const Path& target, std::int64_t count) {
  if (!goes_past_caches(target.first, count * target.element_bytes())) return false;
  const auto whole_lines = [&](std::int64_t elements) {
    return elements * target.element_bytes() % cache_line_bytes == 0;
  };
  for (int axis = 0; axis < tiling.column_axis; ++axis)
    if (!whole_lines(walk.steps(axis)[0])) return false;
  return walk.steps(tiling.column_axis)[0] == 1 && whole_lines(tiling.columns);
}

// Before a cache line is written it must be there, and the rows of a tile are over before the processor sees them coming.
[[gnu::always_inline]] inline void fetch_to_write(const std::byte* row, std::int64_t bytes) {
  for (std::int64_t i = 0; i < bytes; i += cache_line_bytes) __builtin_prefetch(row + i, 1);
}

[[gnu::always_inline]] inline void fetch_to_read(const std::byte* from, std::int64_t first, std::int64_t bytes) {
  for (std::int64_t i = 0; i < bytes; i += cache_line_bytes) fetch_soon(from, first + i);
}

// Tiles that are not dense are packed into a buffer before the loop, or unpacked from one after it. So are all tiles of a large
// target: from the buffer they are written past the caches.
void run_tiles(Tensor& target, std::initializer_list<const Tensor*> operands, DenseLoop loop) {
  std::array<Path, most_paths> paths{Path(target)};
  std::array<Strides, most_paths> strides;
  strides.fill(Strides::filled(target.rank(), 0));
  strides[0] = target.strides();
  std::size_t count = 1;
  for (const Tensor* x : operands) {
    strides[count] = broadcast_strides(*x, target.shape());
    paths[count++] = Path(*x);
  }
  std::size_t widest = 0;
  for (const Path& path : paths) widest = std::max(widest, size_of(path.dtype));
  const Paths walk(target.shape(), strides);
  const Tiling tiling(walk, static_cast<std::int64_t>(widest));

  // The same walk in steps of whole tiles. Those that are read across the grain follow one another along it, so that memory
  // can look ahead.
  Shape tiles;
  for (auto& path : strides) path = {};
  const auto add_axis = [&](int axis, std::int64_t length) {
    tiles.push_back((walk.size(axis) + length - 1) / length);
    for (std::size_t n = 0; n < most_paths; ++n) strides[n].push_back(walk.steps(axis)[n] * length);
    return tiles.back();
  };
  for (int axis = 0; axis < tiling.column_axis; ++axis)
    if (axis != tiling.row_axis) add_axis(axis, 1);
  std::int64_t tile_rows = 1, tile_columns = 1;
  if (tiling.is_across) tile_columns = add_axis(tiling.column_axis, tiling.columns);
  if (tiling.row_axis >= 0) tile_rows = add_axis(tiling.row_axis, tiling.rows);
  if (!tiling.is_across) tile_columns = add_axis(tiling.column_axis, tiling.columns);
  const Paths tile_walk(tiles, strides);

  const bool is_large = rows_go_past_caches(walk, tiling, paths[0], target.numel());

  // Part of a row of which some operand, or the target, does not lie close together.
  const auto run_gathered = [&](std::int64_t position, const Paths::Offsets& offsets) {
    alignas(64) std::array<std::byte, most_paths * gathered_piece * 8> buffer;
    const auto& steps = walk.steps(tiling.column_axis);
    const std::int64_t columns =
        std::min(tiling.columns, walk.size(tiling.column_axis) - position % tile_columns * tiling.columns);
    for (std::int64_t first = 0; first < columns; first += gathered_piece) {
      const std::int64_t count_here = std::min(gathered_piece, columns - first);
      std::array<std::byte*, most_paths> there;
      std::array<void*, most_paths> at;
      for (std::size_t n = 0; n < count; ++n) {
        at[n] = there[n] = paths[n].at(offsets[n] + first * steps[n]);
        if (steps[n] == 1 && !(n == 0 && is_large)) continue;
        at[n] = buffer.data() + n * gathered_piece * 8;
        if (n > 0) copy_row(paths[n].dtype, at[n], 1, there[n], steps[n], count_here);
      }
      loop(at[0], at.data() + 1, count_here);
      if (is_large)
        copy_past_caches(there[0], buffer.data(), count_here * paths[0].element_bytes());
      else if (steps[0] != 1)
        copy_row(paths[0].dtype, there[0], steps[0], at[0], 1, count_here);
    }
  };

  const auto run_tile = [&](std::int64_t position, const Paths::Offsets& offsets) {
    alignas(64) std::array<std::byte, most_paths * buffer_bytes> buffer;
    const std::int64_t first_column =
        (tiling.is_across ? position / tile_rows : position) % tile_columns * tiling.columns;
    const std::int64_t first_row = (tiling.is_across ? position : position / tile_columns) % tile_rows * tiling.rows;
    const std::int64_t columns = std::min(tiling.columns, walk.size(tiling.column_axis) - first_column);
    const std::int64_t rows = tiling.row_axis < 0 ? 1 : std::min(tiling.rows, walk.size(tiling.row_axis) - first_row);
    // Where rows are long it is enough that each is dense by itself; otherwise the tile must be, as a whole.
    const Tile dense{rows, columns, columns, 1};
    std::array<std::byte*, most_paths> memory;
    std::array<std::int64_t, most_paths> row_bytes;
    const bool streams = is_large && (rows == 1 || columns * paths[0].element_bytes() % cache_line_bytes == 0);
    bool is_target_packed = false, in_one_piece = true;
    for (std::size_t n = 0; n < count; ++n) {
      const Tile tile{rows, columns, tiling.row_axis < 0 ? 0 : walk.steps(tiling.row_axis)[n],
                      walk.steps(tiling.column_axis)[n]};
      const std::int64_t bytes = paths[n].element_bytes();
      memory[n] = paths[n].at(offsets[n]);
      row_bytes[n] = columns * bytes;
      const bool is_aside = n == 0 && streams;
      if (!is_aside && tile.is_dense()) continue;
      if (!is_aside && columns >= long_row && tile.column_step == 1) {
        row_bytes[n] = tile.row_step * bytes;
        in_one_piece = false;
        continue;
      }
      memory[n] = buffer.data() + n * buffer_bytes;
      if (n > 0) copy_tile(paths[n].dtype, memory[n], dense, paths[n].at(offsets[n]), tile);
      if (n == 0) is_target_packed = true;
    }
    // Across the grain of one operand, processors do not foresee the next tile, neither its rows in one operand nor its columns in
    // another. With each piece of this tile, the same share of the next one is asked for; of a column always the same number of
    // lines, as counting them takes longer than a line too many.
    const auto fetch_next = [&](std::size_t n, std::int64_t row, std::int64_t height) __attribute__((always_inline)) {
      const std::int64_t bytes = paths[n].element_bytes(), next = tile_walk.row_steps()[n];
      if (row_bytes[n] > columns * bytes)
        for (std::int64_t i = row; i < row + height; ++i)
          fetch_to_read(memory[n], i * row_bytes[n] + next * bytes, columns * bytes);
      else if (walk.steps(tiling.row_axis)[n] == 1)
        for (std::int64_t j = row * columns / rows; j < (row + height) * columns / rows; ++j)
          fetch_to_read(paths[n].at(offsets[n]), (j * walk.steps(tiling.column_axis)[n] + next) * bytes, across_height);
    };
    const std::int64_t row_step = tiling.row_axis < 0 ? 0 : walk.steps(tiling.row_axis)[0];
    const std::int64_t piece = !in_one_piece ? 1 : streams ? std::max<std::int64_t>(1, short_piece / columns) : rows;
    for (std::int64_t row = 0; row < rows; row += piece) {
      const std::int64_t height = std::min(piece, rows - row);
      for (std::size_t n = 1; tiling.is_across && n < count; ++n) fetch_next(n, row, height);
      if (row + piece < rows && row_bytes[0] >= static_cast<std::int64_t>(page_bytes))
        fetch_to_write(memory[0] + (row + 1) * row_bytes[0], columns * paths[0].element_bytes());
      std::array<void*, most_paths> at;
      for (std::size_t n = 0; n < count; ++n) at[n] = memory[n] + row * row_bytes[n];
      loop(at[0], at.data() + 1, height * columns);
      for (std::int64_t i = row; streams && i < row + height; ++i)
        copy_past_caches(paths[0].at(offsets[0] + i * row_step), memory[0] + i * row_bytes[0], row_bytes[0]);
    }
    if (is_target_packed && !streams)
      copy_tile(paths[0].dtype, paths[0].at(offsets[0]), {rows, columns, row_step, walk.steps(tiling.column_axis)[0]},
                memory[0], dense);
  };

  parallel_for(tiles.numel(), grain / (tiling.rows * tiling.columns), [&](std::int64_t begin, std::int64_t end) {
    tile_walk.run(begin, end, [&](std::int64_t position, Paths::Offsets offsets, std::int64_t run_length) {
      for (std::int64_t i = 0; i < run_length; ++i) {
        tiling.is_gathered ? run_gathered(position + i, offsets) : run_tile(position + i, offsets);
        for (std::size_t n = 0; n < count; ++n) offsets[n] += tile_walk.row_steps()[n];
      }
    });
    if (is_large) finish_copies();
  });
}

}  // namespace

void run_dense(Tensor target, std::initializer_list<const Tensor*> operands, DenseLoop loop) {
  const auto dense = [&](const Tensor* x) { return x->is_contiguous() && x->shape() == target.shape(); };
  if (!dense(&target) || !std::all_of(operands.begin(), operands.end(), dense))
    return target.numel() == 0 ? void() : run_tiles(target, operands, loop);
  std::array<Path, most_paths> paths{Path(target)};
  std::transform(operands.begin(), operands.end(), paths.begin() + 1, [](const Tensor* x) { return Path(*x); });
  const std::int64_t element_bytes = paths[0].element_bytes();
  const bool is_large = goes_past_caches(paths[0].first, target.numel() * element_bytes);
  parallel_for(target.numel(), grain, [&](std::int64_t begin, std::int64_t end) {
    const std::int64_t piece = is_large ? short_piece : end - begin;
    alignas(64) std::array<std::byte, 8 * short_piece> buffer;
    for (std::int64_t i = begin; i < end; i += piece) {
      const std::int64_t count = std::min(piece, end - i);
      std::array<const void*, most_paths> in;
      for (std::size_t n = 0; n < most_paths; ++n) in[n] = paths[n].at(i);
      loop(is_large ? buffer.data() : paths[0].at(i), in.data() + 1, count);
      if (is_large) copy_past_caches(paths[0].at(i), buffer.data(), count * element_bytes);
    }
    if (is_large) finish_copies();
  });
}

}  // namespace regard::kernels
