#include "nn/kit/trial.h"

#include <algorithm>

namespace regard::nn::kit {
namespace {

// What a law asks of a variant. Where it is not there, the law cannot be tried.
struct Need {
  const char* what;
  bool (*met)(const Variant& variant, const Subject& subject);
  bool by_each_method = false;  // such laws are tried composed, and fused if the subject can be
};
constexpr Need nothing{"", [](const Variant&, const Subject&) { return true; }};
constexpr Need fused_form{"the score has no fused form",
                          [](const Variant&, const Subject& s) { return s.can_be_fused; }};
constexpr Need a_formula{"the row gives none", [](const Variant& v, const Subject&) { return bool(v.formula); }};
constexpr Need heads_outside{"it makes heads itself", [](const Variant&, const Subject& s) { return !s.module; }, true};
constexpr Need a_call{"it is no module that takes an AttentionCall",
                      [](const Variant&, const Subject& s) { return bool(s.module); }, true};

struct Row {
  LawInfo info;
  Check* check;
  Need need = nothing;
};

const std::vector<Row>& rows() {
  using enum Law;
  static const std::vector<Row> list = {
      {{gradcheck, "gradcheck", "gradients agree with measured slopes"}, check_gradcheck},
      {{second_order, "second order", "so do gradients of gradients"}, check_second_order},
      {{not_negative, "not negative", "no weight is below 0"}, check_not_negative},
      {{row_sums, "row sums", "the weights of a query sum to 1"}, check_row_sums},
      {{keys_as_set, "keys as set", "permuting keys and values together changes no output"}, check_keys_as_set},
      {{queries_apart, "queries apart", "permuting queries permutes the outputs"}, check_queries_apart},
      {{padding, "padding", "keys behind the valid length change nothing"}, check_padding},
      {{batch, "batch", "a sequence gives the same alone and in a batch"}, check_batch},
      {{nan_poison, "NaN poison", "NaN in masked keys and values reaches nothing"}, check_nan_poison},
      {{nan_queries, "NaN queries", "nor does NaN in a query that sees no key"}, check_nan_queries},
      {{masked_row, "masked row", "a query that sees no key gets 0 and gives no gradient"}, check_masked_row},
      {{cached, "cached", "decoding step by step is the full causal pass, with its gradients"}, check_cached},
      {{causal, "causal", "no output depends on what comes later"}, check_causal},
      {{eval_is_train, "eval = train", "training with p = 0 is eval, and eval draws nothing"}, check_eval_is_train},
      {{dropout, "dropout", "it acts on the output; the weights returned are those before"}, check_dropout},
      {{saved, "saved", "another instance that loads it is the same"}, check_saved},
      {{listed, "listed", "parameters that take part are listed, and the other way round"}, check_listed},
      {{formula, "formula", "it is its formula, written another way"}, check_formula, a_formula},
      {{fused, "fused", "computed fused, it gives the same outputs and gradients"}, check_fused, fused_form},
      {{rows_alike, "rows alike", "fused, decoding and what follows change no bit of a row"},
       check_rows_alike,
       fused_form},
      {{front, "front", "fused, hidden keys in front change no bit of a row"}, check_front, fused_form},
      {{shared_keys, "shared keys", "heads that share keys give what copies give"}, check_shared_keys, heads_outside},
      {{head_mask, "head mask", "it multiplies what each head brings"}, check_head_mask, a_call},
      {{memory, "memory", "it is filled once, and used by later calls"}, check_memory, a_call},
      {{offset, "offset", "later queries give the last rows of the full pass"}, check_offset, a_call},
      {{remembers, "remembers", "a cache counts; copies and single sequences go on alone"}, check_remembers, a_call},
      {{left_padding, "left padding", "behind padding a sequence gives what it gives alone"},
       check_left_padding,
       a_call},
  };
  return list;
}

const Row& row_of(Law law) {
  return *std::ranges::find_if(rows(), [law](const Row& row) { return row.info.law == law; });
}

constexpr const char* not_needed = "it holds: the waiver is not needed";

Finding find(const Row& row, const Variant& variant) {
  Generator generator(1);
  if (!row.need.met(variant, variant.build(0, generator))) return {row.info.law, Outcome::waived, row.need.what};
  const std::string found = try_law(row.info.law, variant);
  const auto waiver = variant.waived.find(row.info.law);
  if (waiver == variant.waived.end()) return {row.info.law, found.empty() ? Outcome::holds : Outcome::broken, found};
  if (found.empty()) return {row.info.law, Outcome::broken, not_needed};
  return {row.info.law, Outcome::waived, waiver->second};
}

const char* mark(Outcome outcome) { return outcome == Outcome::holds ? "✓" : outcome == Outcome::waived ? "–" : "✗"; }

// Pads to a width that is counted in characters, where fmt 9 may count bytes.
std::string padded(const std::string& text, std::size_t width) {
  const std::size_t length = letter_count(text);
  return text + std::string(width > length ? width - length : 0, ' ');
}

// Findings with the names of their laws: those that are waived for one reason stand side by side.
struct Told {
  std::string names;
  Finding finding;
};
std::vector<Told> told(const std::vector<Finding>& findings) {
  std::vector<Told> list;
  for (const Finding& finding : findings) {
    const bool goes_on = finding.outcome == Outcome::waived && !list.empty() &&
                         list.back().finding.outcome == Outcome::waived && list.back().finding.reason == finding.reason;
    if (goes_on)
      list.back().names += fmt::format(", {}", info(finding.law).name);
    else
      list.push_back({info(finding.law).name, finding});
  }
  return list;
}

}  // namespace

std::vector<LawInfo> laws() {
  std::vector<LawInfo> list;
  for (const Row& row : rows()) list.push_back(row.info);
  return list;
}

const LawInfo& info(Law law) { return row_of(law).info; }

// A broken law often shows as an exception: of shapes that do not fit, or a gradient that never was recorded.
std::string try_law(Law law, const Variant& variant) {
  try {
    const Row& row = row_of(law);
    const Subject subject = build(variant);
    if (!row.need.met(variant, subject)) return row.need.what;
    std::string found = row.check(variant, subject, trial(variant.sizes));
    if (!found.empty() || !row.need.by_each_method || !subject.can_be_fused) return found;
    set_method(subject.visit, Method::fused);
    found = row.check(variant, subject, trial(variant.sizes));
    return found.empty() ? "" : found + ", computed fused";
  } catch (const std::exception& error) {
    return error.what();
  }
}

bool Report::passed() const { return broken().empty(); }

std::vector<Law> Report::broken() const {
  std::vector<Law> list;
  for (const Finding& finding : findings)
    if (finding.outcome == Outcome::broken) list.push_back(finding.law);
  return list;
}

Report examine(const Variant& variant) {
  Report report{variant.name, {}};
  for (const Row& row : rows()) {
    Finding finding = find(row, variant);
    // One mistake may break many laws in the same way: then it is told once.
    const auto same = std::ranges::find_if(report.findings, [&](const Finding& before) {
      return before.outcome == Outcome::broken && before.reason == finding.reason;
    });
    if (finding.outcome == Outcome::broken && finding.reason != not_needed && same != report.findings.end())
      finding.reason = fmt::format("the same as in “{}”", info(same->law).name);
    report.findings.push_back(std::move(finding));
  }
  return report;
}

std::string Report::to_string() const {
  std::string text = fmt::format("{}: {}\n", variant, passed() ? "PASS" : "FAIL");
  for (const auto& [names, finding] : told(findings))
    text += fmt::format("  {} {} {}\n", mark(finding.outcome), padded(names.size() > 14 ? names + ":" : names, 14),
                        finding.reason.empty() ? info(finding.law).statement : finding.reason);
  return text;
}

std::string table(const std::vector<Report>& reports) {
  std::size_t width = 0;
  for (const Report& report : reports) width = std::max(width, report.variant.size());
  std::string text = "✓ holds   – waived, with a reason   ✗ broken\n\n";
  for (std::size_t i = 0; i < laws().size(); ++i)
    text += fmt::format("{:>2} {}\n", i + 1, padded(laws()[i].name, 14) + laws()[i].statement);
  text += "\n" + std::string(width, ' ');
  for (std::size_t i = 0; i < laws().size(); ++i) text += fmt::format(" {:>2}", i + 1);
  text += '\n';
  for (const Report& report : reports) {
    text += padded(report.variant, width);
    for (const Finding& finding : report.findings) text += std::string("  ") + mark(finding.outcome);
    text += '\n';
  }
  text += '\n';
  for (const Report& report : reports)
    for (const auto& [names, finding] : told(report.findings))
      if (finding.outcome != Outcome::holds)
        text += fmt::format("{} {}, {}: {}\n", mark(finding.outcome), report.variant, names, finding.reason);
  return text;
}

}  // namespace regard::nn::kit
