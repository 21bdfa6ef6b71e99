#include "examples/published/tokenizer_json.h"

#include "examples/published/byte_alphabet.h"
#include "nn/save/json.h"

#include <algorithm>
#include <map>
#include <set>

namespace regard::nn {
namespace {

const Json null{nullptr};

// A part of the file: {"type": "ByteLevel", "add_prefix_space": false, …}.
class Part {
 public:
  Part(const Json& value, std::string name, const std::string& file)
      : value_(value), name_(std::move(name)), file_(file) {
    if (!value.get_if<JsonObject>()) malformed(file, "{} is {}, and no object", name_, excerpt(value));
  }

  const Json& at(const std::string& key) {
    known_.insert(key);
    const Json* found = value_.find(key);
    return found ? *found : null;
  }
  std::string text(const std::string& key) {
    const auto* found = at(key).get_if<std::string>();
    if (!found) malformed(file_, "{}: {} is {}, and no text", name_, key, excerpt(at(key)));
    return *found;
  }
  bool truth(const std::string& key, bool otherwise) {
    const Json& found = at(key);
    if (found == null) return otherwise;
    if (!found.get_if<bool>()) malformed(file_, "{}: {} is {}, and neither true nor false", name_, key, excerpt(found));
    return *found.get_if<bool>();
  }
  std::int64_t size(const std::string& key) {
    if (!at(key).is_size()) malformed(file_, "{}: {} is {}, and no whole number", name_, key, excerpt(at(key)));
    return at(key).size();
  }
  const JsonList& list(const std::string& key) {
    static const JsonList none;
    const Json& found = at(key);
    if (found == null) return none;
    if (!found.get_if<JsonList>()) malformed(file_, "{}: {} is {}, and no list", name_, key, excerpt(found));
    return *found.get_if<JsonList>();
  }
  const JsonObject& object(const std::string& key) {
    const auto* found = at(key).get_if<JsonObject>();
    if (!found) malformed(file_, "{}: {} is {}, and no object", name_, key, excerpt(at(key)));
    return *found;
  }
  // One of these is all that can be read; null, or no such key, always is.
  void require(const std::string& key, std::initializer_list<Json> allowed) {
    const Json& found = at(key);
    if (found == null || std::find(allowed.begin(), allowed.end(), found) != allowed.end()) return;
    malformed(file_, "{}: {} is {}, which cannot be read", name_, key, excerpt(found));
  }
  void ignore(std::initializer_list<const char*> keys) { known_.insert(keys.begin(), keys.end()); }
  void require_all_known() const {
    for (const auto& [key, value] : *value_.get_if<JsonObject>())
      if (!known_.contains(key))
        malformed(file_, "{}: {} is {}, and this key is not known", name_, key, excerpt(value));
  }
  [[noreturn]] void refuse(const std::string& what) const { malformed(file_, "{}: {} cannot be read", name_, what); }
  // A step, or the steps of a sequence, which is one, too.
  std::vector<Part> steps(const std::string& key, const std::string& of_sequence) {
    std::vector<Part> all;
    const Json& value = at(key);
    if (value == null) return all;
    Part one(value, key, file_);
    if (one.text("type") != "Sequence") return {one};
    for (const Json& step : one.list(of_sequence)) all.emplace_back(step, key, file_);
    one.require_all_known();
    return all;
  }
  std::string where() const { return name_; }

 private:
  const Json& value_;
  std::string name_;
  const std::string& file_;
  std::set<std::string> known_;
};

std::string with_blanks(std::string text) {
  const std::string blank = "▁";
  for (std::size_t at = 0; (at = text.find(blank, at)) != std::string::npos; ++at) text.replace(at, blank.size(), " ");
  return text;
}

struct Added {
  std::int64_t token;
  std::string text;
  bool is_special, is_normalized;
};

class TokenizerReader {
 public:
  TokenizerReader(const Json& root, const std::string& file) : file_(file), root_(root, "the file", file) {}

  TokenizerJson read() {
    for (const char* key : {"truncation", "padding"}) root_.require(key, {});
    root_.ignore({"version"});
    read_added();
    Part model(root_.at("model"), "model", file_);
    if (model.text("type") != "BPE") model.refuse(fmt::format("the type {}", in_quotes(model.text("type"))));
    read_model(model);
    read_pre_tokenizer();
    read_normalizer();
    read_post_processor();
    read_decoder();
    root_.require_all_known();
    return std::move(result_);
  }

 private:
  void read_added() {
    for (const Json& one : root_.list("added_tokens")) {
      Part part(one, "added_tokens", file_);
      for (const char* key : {"single_word", "lstrip", "rstrip"}) part.require(key, {Json{false}});
      added_.push_back(
          {part.size("id"), part.text("content"), part.truth("special", false), part.truth("normalized", true)});
      if (added_.back().text.empty()) malformed(file_, "added_tokens: token {} has no text", added_.back().token);
      part.require_all_known();
    }
  }

  void read_model(Part& model) {
    model.require("dropout", {Json{0.0}, Json{std::uint64_t{0}}});
    for (const char* key : {"continuing_subword_prefix", "end_of_word_suffix"})
      model.require(key, {Json{std::string()}});
    if (model.at("unk_token") != null) unknown_ = model.text("unk_token");
    const bool joins_unknown = model.truth("fuse_unk", false), falls_back = model.truth("byte_fallback", false);
    if (!unknown_.empty() && !joins_unknown && !falls_back) model.refuse("an unknown token for each character");
    result_.bytes.whole_words = model.truth("ignore_merges", false);
    read_vocabulary(model.object("vocab"));
    for (const Json& merge : model.list("merges")) merges_.push_back(read_merge(merge));
    model.require_all_known();
  }
  // Numbers from 0 on, each that of one piece.
  void read_vocabulary(const JsonObject& vocabulary) {
    std::map<std::int64_t, std::string> pieces;
    const auto add = [&](std::int64_t token, const std::string& piece) {
      const auto [place, is_new] = pieces.emplace(token, piece);
      if (!is_new && place->second != piece)
        malformed(file_, "the pieces {} and {} have the number {}", in_quotes(place->second), in_quotes(piece), token);
    };
    for (const auto& [piece, token] : vocabulary) {
      if (!token.is_size()) malformed(file_, "the piece {} has the number {}", in_quotes(piece), excerpt(token));
      add(token.size(), piece);
    }
    for (const Added& one : added_) add(one.token, one.text);
    for (auto& [token, piece] : pieces) {
      if (token != std::ssize(pieces_)) malformed(file_, "no piece has the number {}", pieces_.size());
      pieces_.push_back(std::move(piece));
    }
  }
  // "left right", or, since blanks may be in pieces, ["left", "right"].
  std::pair<std::string, std::string> read_merge(const Json& merge) const {
    if (const auto* text = merge.get_if<std::string>()) {
      const std::size_t blank = text->find(' ', 1);
      if (blank != std::string::npos && blank + 1 < text->size())
        return {text->substr(0, blank), text->substr(blank + 1)};
    }
    const auto* list = merge.get_if<JsonList>();
    if (!list || list->size() != 2 || !(*list)[0].get_if<std::string>() || !(*list)[1].get_if<std::string>())
      malformed(file_, "the merge {} is not two pieces", excerpt(merge));
    return {*(*list)[0].get_if<std::string>(), *(*list)[1].get_if<std::string>()};
  }

  void read_pre_tokenizer() {
    std::vector<Part> steps = root_.steps("pre_tokenizer", "pretokenizers");
    std::optional<WordPattern> pattern;
    bool single_digits = false;
    SentencePieces::Blank blank = SentencePieces::Blank::none;
    for (Part& step : steps) {
      const std::string type = step.text("type");
      if (type == "Digits") {
        single_digits = step.truth("individual_digits", false);
      } else if (type == "Split") {
        const Json *regex = step.at("pattern").find("Regex"), *text = step.at("pattern").find("String");
        const std::string behavior = step.text("behavior");
        step.require("invert", {Json{false}});
        if (regex && regex->get_if<std::string>() && behavior == "Isolated")
          pattern = pattern_of_regex(*regex->get_if<std::string>());
        // In Gemma's file all blanks are ▁ before: there is none left to split at.
        else if (!text || *text != Json{std::string(" ")} || behavior != "MergedWithPrevious")
          step.refuse(fmt::format("splitting at {} ({})", excerpt(step.at("pattern")), behavior));
        if (regex && !pattern) step.refuse(fmt::format("the pattern {}", excerpt(*regex)));
      } else if (type == "ByteLevel") {
        result_.of_bytes = true;
        step.require("add_prefix_space", {Json{false}});
        step.ignore({"trim_offsets"});
        const bool own = step.truth("use_regex", true);
        if (own == pattern.has_value()) step.refuse("a pattern in two places, or in none,");
        if (own) pattern = single_digits ? WordPattern::gpt2_single_digits : WordPattern::gpt2;
      } else if (type == "Metaspace") {
        step.require("replacement", {Json{std::string("▁")}});
        step.require("split", {Json{false}});
        step.require("add_prefix_space", {Json{true}});
        const std::string scheme = step.at("prepend_scheme") == null ? "always" : step.text("prepend_scheme");
        blank = scheme == "never"   ? SentencePieces::Blank::none
                : scheme == "first" ? SentencePieces::Blank::first
                                    : SentencePieces::Blank::each;
        writes_blanks_ = true;
      } else {
        step.refuse(fmt::format("the type {}", in_quotes(type)));
      }
      step.require_all_known();
    }
    result_.pieces.blank = blank;
    result_.of_bytes ? fill_bytes(pattern.value_or(WordPattern::gpt2)) : fill_pieces();
  }

  void fill_bytes(WordPattern pattern) {
    const auto bytes_of = [&](const std::string& piece) {
      const auto bytes = bytes_of_written(piece);
      if (!bytes) malformed(file_, "the piece {} is not written in bytes", in_quotes(piece));
      return *bytes;
    };
    std::set<std::int64_t> added;
    for (const Added& one : added_) added.insert(one.token);
    for (std::int64_t token = 0; token < std::ssize(pieces_); ++token) {
      const std::string& piece = pieces_[static_cast<std::size_t>(token)];
      result_.bytes.pieces.push_back(added.contains(token) ? piece : bytes_of(piece));
    }
    result_.bytes.special.assign(added.begin(), added.end());
    for (const auto& [left, right] : merges_) result_.bytes.merges.emplace_back(bytes_of(left), bytes_of(right));
    result_.bytes.pattern = pattern;
  }
  void fill_pieces() {
    using enum SentencePieces::Kind;
    for (const std::string& piece : pieces_) {
      result_.pieces.pieces.push_back(with_blanks(piece));
      result_.pieces.kinds.push_back(piece == unknown_ ? unknown : normal);
    }
    for (const Added& one : added_) {
      auto& kind = result_.pieces.kinds[static_cast<std::size_t>(one.token)];
      if (kind == normal) kind = one.is_special ? control : special;
      if (one.is_normalized && one.text.find(' ') != std::string::npos)
        malformed(file_, "added_tokens: {} is looked for in a text whose blanks are ▁ already", in_quotes(one.text));
    }
    for (const auto& [left, right] : merges_) result_.pieces.merges.emplace_back(with_blanks(left), with_blanks(right));
    result_.pieces.reads_control = true;
  }

  void read_normalizer() {
    for (Part& step : root_.steps("normalizer", "normalizers")) {
      const std::string type = step.text("type");
      const bool of_pieces = !result_.of_bytes;
      if (of_pieces && type == "Prepend" && step.text("prepend") == "▁") {
        result_.pieces.blank = SentencePieces::Blank::each;
      } else if (of_pieces && type == "Replace" && step.text("content") == "▁" &&
                 step.at("pattern") == Json{JsonObject{{"String", {std::string(" ")}}}}) {
        writes_blanks_ = true;
      } else if (type == "NFC" && !of_pieces) {
        result_.in_nfc = true;
      } else {
        step.refuse(fmt::format("the type {}, as it is used here,", in_quotes(type)));
      }
      step.require_all_known();
    }
    if (!result_.of_bytes && !writes_blanks_)
      malformed(file_, "it is neither of bytes (a pre_tokenizer ByteLevel) nor writes blanks as ▁");
  }

  void read_post_processor() {
    for (Part& step : root_.steps("post_processor", "processors")) {
      const std::string type = step.text("type");
      if (type == "ByteLevel") continue;  // it moves offsets
      if (type != "TemplateProcessing") step.refuse(fmt::format("the type {}", in_quotes(type)));
      step.ignore({"pair"});
      Part special(step.at("special_tokens"), "special_tokens", file_);
      bool is_behind = false;
      for (const Json& item : step.list("single")) {
        if (item.find("Sequence")) is_behind = true;
        const Json* token = item.find("SpecialToken");
        if (!token) continue;
        Part named(special.at(Part(*token, "single", file_).text("id")), "special_tokens", file_);
        for (const Json& id : named.list("ids")) {
          if (!id.is_size() || id.size() >= std::ssize(pieces_))
            malformed(file_, "post_processor: {} is no number of a token", excerpt(id));
          (is_behind ? result_.behind : result_.before).push_back(id.size());
        }
      }
      step.require_all_known();
    }
  }

  // How tokens become text follows from the kind. Here the file has to say the same: a blank in front of a text is
  // taken away (Strip) where one is put there.
  void read_decoder() {
    std::vector<std::string> types;
    for (Part& step : root_.steps("decoder", "decoders")) {
      types.push_back(step.text("type"));
      if (types.back() == "Replace") {
        step.require("pattern", {Json{JsonObject{{"String", {std::string("▁")}}}}});
        step.require("content", {Json{std::string(" ")}});
      } else if (types.back() == "Strip") {
        step.require("content", {Json{std::string(" ")}});
        step.require("start", {Json{std::uint64_t{1}}});
        step.require("stop", {Json{std::uint64_t{0}}});
      } else if (types.back() == "ByteLevel") {
        step.ignore({"add_prefix_space", "trim_offsets", "use_regex"});  // of a text that is read
      }
      step.require_all_known();
    }
    if (types.empty()) return;
    std::vector<std::string> wanted{"ByteLevel"};
    if (!result_.of_bytes) wanted = {"Replace", "ByteFallback", "Fuse"};
    if (!result_.of_bytes && result_.pieces.blank != SentencePieces::Blank::none) wanted.push_back("Strip");
    if (types != wanted)
      malformed(file_, "decoder: {} is not {}, as this kind of tokenizer is decoded here", join_words(types, ", "),
                join_words(wanted, ", "));
  }

  const std::string& file_;
  Part root_;
  TokenizerJson result_{};
  std::vector<Added> added_;
  std::vector<std::string> pieces_;  // as they are written
  std::vector<std::pair<std::string, std::string>> merges_;
  std::string unknown_;
  bool writes_blanks_ = false;
};

}  // namespace

TokenizerJson read_tokenizer_json(std::string_view text, const std::string& file) {
  const Json root =
      parse_json(text, {.file = file, .part = "the file", .depth = 8, .longest_list = 2'000'000});  // merges
  return TokenizerReader(root, file).read();
}

}  // namespace regard::nn
