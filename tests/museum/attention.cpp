#include "tests/museum/attention.h"

#include "autograd/attention/pairs.h"
#include "nn/kit/subject.h"
#include "tensor/error.h"

namespace regard::museum {
namespace {

// A module without parameters.
struct Shown {
  Attend attend;

  void visit(nn::Visitor&) {}
  nn::AttentionOutput operator()(const Variable& q, const Variable& k, const Variable& v, const nn::Mask& mask,
                                 std::int64_t offset = 0) {
    return attend(q, k, v, mask.at(offset).table(pairs::shape_of(q, k, v), q.dtype()));
  }
};

std::string found_by(nn::kit::Check check, const Attend& attend) {
  try {
    return check({"", [&attend](double, Generator&) { return nn::kit::subject(Shown{attend}); }});
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace

Finding by_kit(nn::kit::Law law, nn::kit::Check check, const Attend& attend) {
  const nn::kit::LawInfo& info = nn::kit::info(law);
  const std::string found = found_by(check, attend);
  return {!found.empty(), fmt::format("the kit: {}", info.statement), found.empty() ? "nothing" : found};
}

}  // namespace regard::museum
