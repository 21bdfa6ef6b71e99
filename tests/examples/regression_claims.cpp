// What the captions of the regression say of one run, for numbers of which it is so and for others.
#include "examples/trainers/regression_claims.h"
#include "examples/trainers/regression_figures.h"
#include "tensor/create.h"
#include "tensor/ops/reduce.h"
#include "tests/catch.h"

#include <string>
#include <vector>

using namespace regard;
using namespace regard::regression;
using Catch::Matchers::ContainsSubstring;

namespace {

std::vector<Losses> losses(const std::vector<double>& training, const std::vector<double>& held_out) {
  const std::vector<double> epochs{1, 10, 100};
  return {{"one w", epochs, {3, 2, 1}, {3, 2, 1}}, {"leaking", epochs, training, held_out}};
}

}  // namespace

TEST_CASE("regression claims: numbers have about three digits") {
  CHECK(short_number(0.2) == "0.200");
  CHECK(short_number(1.654) == "1.65");
  CHECK(short_number(27.64) == "27.6");
  CHECK(short_number(1017.2) == "1017");
}

TEST_CASE("regression claims: which answer is better than which") {
  const std::string learned = about_fits({2, 1, 0.2, 0.3, 0.4}, " g"), fixed = about_fits({2, 1, 1.2, 1.1, 0.5}, " g"),
                    level = about_fits({2, 1, 1.01, 1.005, 1}, " g");
  CHECK_THAT(learned, ContainsSubstring("One learned width is better than the fixed one: 0.200 g against 1.00 g."));
  CHECK_THAT(learned, ContainsSubstring("each key is worse than one."));
  CHECK_THAT(learned, ContainsSubstring("themselves it is worse than") &&
                          ContainsSubstring("least error has one learned width."));
  CHECK_THAT(fixed, ContainsSubstring("One learned width is worse here than the fixed one: 1.20 g against 1.00 g."));
  CHECK_THAT(fixed, ContainsSubstring("each key is better than one."));
  CHECK_THAT(fixed, !ContainsSubstring("width is better") && !ContainsSubstring("key is worse"));
  CHECK_THAT(fixed, ContainsSubstring("themselves it is better here") &&
                        ContainsSubstring("least error has the widths that see themselves."));
  CHECK_THAT(level,
             ContainsSubstring("One learned width is about as good here as the fixed one: 1.01 g against 1.00 g."));
  CHECK_THAT(level, ContainsSubstring("each key is about as good as one.") && !ContainsSubstring("Where points see"));
}

TEST_CASE("regression claims: all errors that are as good as the least are named") {
  const auto least = [](const std::vector<double>& errors) {
    const std::string text = about_fits(errors, "");
    return text.substr(text.find("The least"));
  };
  const std::string four =
      "The least errors, alike to a fiftieth, have the fixed width, one learned width, a width for each key and the "
      "widths that see themselves.";
  CHECK(least({2, 1, 0.97, 1, 1}) == "The least error has one learned width.");
  CHECK(least({2, 1, 1.01, 1.005, 1}) == four);
  CHECK(least({2, 1, 0.985, 1, 1}) == four);
  CHECK(least({2, 1, 0.5, 0.505, 0.6}) ==
        "The least errors, alike to a fiftieth, have one learned width and a width for each key.");
}

TEST_CASE("regression claims: titles say what their numbers say") {
  CHECK(title_of_fits({2, 0.1, 0.3, 0.2, 0.4}, true) == "the least error from the truth has a width for each key");
  CHECK(title_of_fits({2, 1, 0.2, 0.3, 0.2}, false) ==
        "the least errors, alike to a fiftieth, have one learned width and the widths that see themselves");
  CHECK(title_of_weights({84.2, 8.6, 12, 7}) == "a query uses as many as 84 keys before training, 9 after");
  CHECK(title_of_losses(losses({3, 1, 0.1}, {3, 2, 2.5}), " g²") ==
        "where points see themselves: 0.100 g² in training, 2.50 g² on new data");
}

TEST_CASE("regression claims: widths that narrow in training") {
  const std::string all = about_widths(0.5, {0.2, 0.4}, 1, " ms"), some = about_widths(2, {0.2, 3, 4, 5}, 1, " ms");
  CHECK_THAT(all, ContainsSubstring("0.5 ms, and was 1 ms: it has narrowed."));
  CHECK_THAT(all, ContainsSubstring("all narrower than at the start"));
  CHECK_THAT(some, ContainsSubstring("2 ms, and was 1 ms: it has not narrowed."));
  CHECK_THAT(some, ContainsSubstring("25 % are narrower") && !ContainsSubstring("all narrower"));
}

TEST_CASE("regression claims: a width that is as it was is neither narrower nor wider") {
  std::vector<double> widths(500, 1.0);
  CHECK_THAT(about_widths(1, widths, 1, ""), ContainsSubstring("Of the widths of the keys none are narrower"));
  for (double& w : widths) w = 1 - 1e-7;  // not trained, but rounded
  CHECK_THAT(about_widths(1 - 1e-7, widths, 1, ""), ContainsSubstring("none are narrower"));
  CHECK_THAT(about_widths(1 - 1e-7, widths, 1, ""), ContainsSubstring("it has not narrowed"));
}

TEST_CASE("regression claims: all but one are not 100 %, and one is not 0 %") {
  std::vector<double> narrow(500, 0.5), wide(500, 2.0);
  narrow[7] = 2, wide[7] = 0.5;
  CHECK_THAT(about_widths(1, narrow, 1, ""), ContainsSubstring("Of the widths of the keys all but 1 are narrower"));
  CHECK_THAT(about_widths(1, wide, 1, ""), ContainsSubstring("Of the widths of the keys 1 is narrower"));
}

TEST_CASE("regression claims: rows sum to one, and fewer neighbours") {
  CHECK_THAT(about_weights({80, 9, 12, 7}, 1), ContainsSubstring("Each row sums to one."));
  CHECK_THAT(about_weights({80, 9, 12, 7}, 1), ContainsSubstring("Training narrows the diagonal"));
  CHECK_THAT(about_weights({80, 9, 90, 7}, 0.877), ContainsSubstring("at least 87 % is drawn"));
  CHECK_THAT(about_weights({80, 9, 90, 7}, 0.877), !ContainsSubstring("sums to one"));
  CHECK_THAT(about_weights({80, 9, 90, 7}, 1), !ContainsSubstring("narrows"));
  CHECK_THAT(about_weights({80, 9, 90, 7}, 1), ContainsSubstring("Not all three look at fewer keys"));
  CHECK_THAT(about_weights({80, 9, 12, 7}, 1),
             ContainsSubstring(
                 "Before training the weights of a query are as spread as equal weights of 80.0 keys, "
                 "and after it as those of 9.0 with one width, 12.0 with one for each key and 7.0 if it leaks."));
}

TEST_CASE("regression claims: what training promises, and from where on the loss rises") {
  const std::string broken = about_losses(losses({3, 1, 0.1}, {3, 2, 2.5}), 0, 500, " g²");
  CHECK_THAT(broken, ContainsSubstring("do not keep: 0.100 g² in training, 2.50 g² on new data."));
  CHECK_THAT(broken, ContainsSubstring("the loss rises again: leaking from epoch 10 on, from 2.00 g² to 2.50 g²."));
  CHECK_THAT(broken, !ContainsSubstring("below the noise") && !ContainsSubstring("every loss"));

  const std::string kept = about_losses(losses({3, 1, 0.9}, {3, 2, 1}), 0, 500, "");
  CHECK_THAT(kept, ContainsSubstring("keep here what training promises") && !ContainsSubstring("do not keep"));
  CHECK_THAT(kept, ContainsSubstring("no loss rises again"));

  std::vector<Losses> all = losses({3, 1, 0.1}, {1, 2, 2.5});
  all[0].held_out = {2, 1, 1.5};
  CHECK_THAT(
      about_losses(all, 0, 500, ""),
      ContainsSubstring("every loss rises again: one w from epoch 10 on, from 1.00 to 1.50; leaking from epoch 1"));
}

TEST_CASE("regression claims: below the noise, by more than chance") {
  const std::vector<Losses> all = losses({3, 1, 0.2}, {3, 2, 1});
  CHECK_THAT(about_losses(all, 0.25, 500, ""), ContainsSubstring("so they fit the noise: leaking, with 0.200."));
  CHECK_THAT(about_losses(all, 0.25, 50, ""), !ContainsSubstring("fit the noise"));  // few points: it may be chance
  CHECK_THAT(about_losses(all, 0.2, 500, ""), !ContainsSubstring("fit the noise"));
}

TEST_CASE("regression: how many keys a query looks at, and weights of keys in one column") {
  CHECK(keys_seen(tensor({{0.25, 0.25, 0.25, 0.25}, {0, 1, 0, 0}})) == Approx(2.5));
  const Tensor columns = in_bins(tensor({{0.125, 0.25, 0.5, 0.125}}), tensor({0.0, 0.05, 5.46, 12.0}));
  CHECK(columns.at({0, 0}) == 0.375);
  CHECK(columns.at({0, columns.size(1) - 1}) == 0.5);
  CHECK(sum(columns).item() == 0.875);  // the last key is farther right than what is drawn
}
