#include "tensor/ops/append.h"

#include "tensor/loops/copy.h"
#include "tensor/view.h"

#include <algorithm>

namespace regard {
namespace {

void require_rows(const Tensor& x, const Tensor& more) {
  if (more.rank() < 2) fail<ShapeError>("append: {}: it must be (…, L, D)", more.shape());
  if (!x.defined()) return;
  require_same_dtype("append", x, more);
  if (x.rank() != more.rank() || x.shape().with(-2, more.size(-2)) != more.shape())
    fail<ShapeError>("append: {} behind {}: they may differ in the axis before the last only", more.shape(), x.shape());
}

bool is_all_of(const Tensor& x, const Room& room) {
  return x.defined() && room.rows && x.shares_buffer_with(room.rows->all) && x.offset() == room.rows->all.offset() &&
         x.strides() == room.rows->all.strides();
}

// The rows [begin, end) of the room, to be written to.
void write_rows(Room& room, std::int64_t begin, const Tensor& from) {
  loops::copy_into(slice(room.rows->all, -2, begin, begin + from.size(-2)), from);
}

}  // namespace

Tensor append(const Tensor& x, const Tensor& more, Room& room) {
  require_rows(x, more);
  const std::int64_t before = x.defined() ? x.size(-2) : 0, after = before + more.size(-2);
  // Whoever moves the end of what is filled owns the rows in between. A copy of x may have been appended to already:
  // then the end is elsewhere, and this one gets a room of its own.
  std::int64_t end = before;
  const bool fits =
      is_all_of(x, room) && after <= room.rows->all.size(-2) && room.rows->filled.compare_exchange_strong(end, after);
  if (!fits) {
    constexpr std::int64_t least = 16;
    room.rows = std::make_shared<Room::AppendedRows>();
    room.rows->all = empty(more.shape().with(-2, std::max(least, 2 * after)), more.dtype());
    room.rows->filled = after;
    if (before > 0) write_rows(room, 0, x);
  }
  write_rows(room, before, more);
  return slice(room.rows->all, -2, 0, after);
}

}  // namespace regard
