#include "examples/published/byte_alphabet.h"
#include "examples/published/byte_pairs.h"
#include "examples/published/word_pattern.h"
#include "nn/save/json.h"
#include "tensor/error.h"

#include <queue>
#include <set>

namespace regard::nn {

// Keeps the counts of all pairs up to date while pairs are merged. A merge changes only the words that have the pair,
// and of their pairs only the neighbours of the places where it was: so that is all that is counted again.
class BytePairTrainer {
 public:
  BytePairTrainer(std::string_view text, const BytePairOptions& options) : queue_(Later{&pairs_.pieces_}) {
    for (const std::string& name : options.special) add_special(name);
    for (const char byte : bytes_in_order())
      pairs_.bytes_[static_cast<unsigned char>(byte)] = pairs_.add(std::string(1, byte));
    if (options.vocabulary < pairs_.size())
      fail<ValueError>("byte pairs: a vocabulary of {} is smaller than the {} bytes and special tokens in it",
                       options.vocabulary, pairs_.size());
    count_words(text);
  }

  BytePairs train(std::int64_t vocabulary) {
    while (pairs_.size() < vocabulary && !queue_.empty()) {
      const Candidate best = queue_.top();
      queue_.pop();
      const auto found = counts_.find(best.pair);
      if (found == counts_.end()) continue;
      if (found->second == best.count) {
        merge(best.pair);
      } else if (found->second > 0) {  // it has become rarer since it was put in the queue
        queue_.push({best.pair, found->second});
      }
    }
    return std::move(pairs_);
  }

 private:
  using TokenPair = std::pair<std::int64_t, std::int64_t>;

  struct PairHash {
    std::size_t operator()(const TokenPair& pair) const {
      return std::hash<std::uint64_t>()(static_cast<std::uint64_t>(pair.first) << 32 ^
                                        static_cast<std::uint64_t>(pair.second));
    }
  };

  // A word of the text, and how often it is there. Words are counted once, and merged once for all their places.
  struct CountedWord {
    Tokens tokens;
    std::int64_t count;
  };

  struct Candidate {
    TokenPair pair;
    std::int64_t count;
  };
  // Whether b is merged before a.
  struct Later {
    const std::vector<std::string>* pieces;
    bool operator()(const Candidate& a, const Candidate& b) const {
      if (a.count != b.count) return a.count < b.count;
      const int order = piece(a.pair.first).compare(piece(b.pair.first));
      return order != 0 ? order < 0 : piece(a.pair.second) < piece(b.pair.second);
    }
    const std::string& piece(std::int64_t token) const { return (*pieces)[static_cast<std::size_t>(token)]; }
  };

  void add_special(const std::string& name) {
    if (name.empty() || !pairs_.special_.emplace(name, pairs_.size()).second)
      fail<ValueError>("byte pairs: the special token {} is empty, or there twice", in_quotes(name));
    pairs_.pieces_.push_back(name);
  }

  void count_words(std::string_view text) {
    std::unordered_map<std::string_view, std::size_t> places;
    for (const BytePairs::Part& part : pairs_.parts(text))
      for (std::string_view rest = part.special < 0 ? part.text : ""; !rest.empty();) {
        const std::string_view word = rest.substr(0, first_piece(rest));
        rest.remove_prefix(word.size());
        const auto [place, is_new] = places.try_emplace(word, words_.size());
        if (is_new) words_.push_back({bytes_as_tokens(word), 0});
        ++words_[place->second].count;
      }
    for (std::size_t w = 0; w < words_.size(); ++w)
      for (std::size_t i = 0; i + 1 < words_[w].tokens.size(); ++i)
        add({words_[w].tokens[i], words_[w].tokens[i + 1]}, words_[w].count, w);
    queue_grown();
  }

  Tokens bytes_as_tokens(std::string_view word) const {
    Tokens tokens;
    for (const char byte : word) tokens.push_back(pairs_.token_of(static_cast<unsigned char>(byte)));
    return tokens;
  }

  void add(const TokenPair& pair, std::int64_t count, std::size_t word) {
    counts_[pair] += count;
    std::vector<std::size_t>& words = words_with_[pair];
    if (words.empty() || words.back() != word) words.push_back(word);
    grown_.insert(pair);
  }
  void take(const TokenPair& pair, std::int64_t count) { counts_[pair] -= count; }
  void queue_grown() {
    for (const TokenPair& pair : grown_) queue_.push({pair, counts_[pair]});
    grown_.clear();
  }

  void merge(const TokenPair& pair) {
    const std::string& left = pairs_.bytes(pair.first);
    const std::int64_t result = pairs_.add(left + pairs_.bytes(pair.second));
    pairs_.add_merge(pair.first, pair.second, result);
    for (const std::size_t word : words_with_[pair]) merge_in(word, pair, result);
    words_with_.erase(pair);
    counts_.erase(pair);
    grown_.erase(pair);
    queue_grown();
  }

  void merge_in(std::size_t w, const TokenPair& pair, std::int64_t result) {
    const Tokens old = std::move(words_[w].tokens);
    const std::int64_t count = words_[w].count;
    Tokens merged;
    for (std::size_t i = 0; i < old.size(); ++i) {
      if (old[i] != pair.first || i + 1 == old.size() || old[i + 1] != pair.second) {
        merged.push_back(old[i]);
        continue;
      }
      if (!merged.empty()) {
        take({merged.back(), pair.first}, count);
        add({merged.back(), result}, count, w);
      }
      if (i + 2 < old.size()) {
        take({pair.second, old[i + 2]}, count);
        add({result, old[i + 2]}, count, w);
      }
      merged.push_back(result);
      ++i;
    }
    words_[w].tokens = std::move(merged);
  }

  BytePairs pairs_;
  std::vector<CountedWord> words_;
  std::unordered_map<TokenPair, std::int64_t, PairHash> counts_;
  std::unordered_map<TokenPair, std::vector<std::size_t>, PairHash> words_with_;  // some of them had the pair once
  std::set<TokenPair> grown_;  // pairs that became more frequent, or new, and are not yet in the queue with their count
  std::priority_queue<Candidate, std::vector<Candidate>, Later> queue_;
};

BytePairs BytePairs::train(std::string_view text, const BytePairOptions& options) {
  return BytePairTrainer(text, options).train(options.vocabulary);
}

}  // namespace regard::nn
