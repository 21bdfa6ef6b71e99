#include "examples/trainers/pupil.h"

#include "examples/trainers/descend.h"
#include "nn/losses.h"
#include "tensor/create.h"
#include "tensor/ops/join.h"
#include "tensor/ops/reduce.h"
#include "tensor/view.h"

#include <algorithm>
#include <functional>

namespace regard {

double Pupil::learn(const nn::PaddedTokens& letters, const nn::TeacherForced& phonemes, double rate) {
  return descend(model, optimizer, rate, letters.tokens, [&](const Part& part) {
    const Variable logits = model(part(letters.tokens), part(letters.lengths), part(phonemes.input)).logits;
    return cross_entropy_share(logits, part(phonemes.target));
  });
}

std::vector<Answer> Pupil::say(const Dictionary& dictionary, const std::vector<std::string>& words) const {
  const NoGrad no_grad;
  auto own = model;  // a copy shares the parameters, and has a mode of its own
  nn::eval(own);
  nn::Sequences spellings;
  for (const std::string& word : words) spellings.push_back(spelled(dictionary, word));
  const nn::PaddedTokens source = nn::pad_right(spellings, dictionary.letters.padding());
  auto state = own.start(source.tokens, source.lengths);
  std::vector<Answer> answers(words.size());
  std::vector<bool> ended(words.size());
  std::vector<Tensor> looks;
  Tensor last = full({std::ssize(words)}, static_cast<double>(dictionary.phonemes.begin()), DType::i64);
  for (std::int64_t step = 0; step < longest_pronunciation && !std::ranges::all_of(ended, std::identity{}); ++step) {
    const auto [logits, weights] = own.step(last, state);
    last = argmax(logits.value(), -1);
    if (weights.defined()) looks.push_back(weights.value());
    const std::vector<double> said = to_vector(last);
    for (std::size_t i = 0; i < words.size(); ++i) {
      const auto token = static_cast<std::int64_t>(said[i]);
      ended[i] = ended[i] || token == dictionary.phonemes.end();
      if (!ended[i]) answers[i].phonemes.push_back(token);
    }
  }
  if (looks.empty()) return answers;
  const Tensor all = stack(looks, 1);  // (B, steps, letters)
  for (std::size_t i = 0; i < words.size(); ++i) {
    const Tensor one = select(all, 0, static_cast<std::int64_t>(i));
    answers[i].looks = slice(slice(one, 0, 0, std::ssize(answers[i].phonemes)), 1, 0, std::ssize(words[i]));
  }
  return answers;
}

std::vector<Errors> Pupil::examine(const Dictionary& dictionary, const std::vector<Word>& words) const {
  constexpr std::size_t together = 256;
  std::vector<Errors> errors;
  for (std::size_t begin = 0; begin < words.size(); begin += together) {
    const std::size_t end = std::min(words.size(), begin + together);
    std::vector<std::string> some;
    for (std::size_t i = begin; i < end; ++i) some.push_back(words[i].letters);
    const std::vector<Answer> answers = say(dictionary, some);
    for (std::size_t i = begin; i < end; ++i) errors.push_back(errors_of(words[i], answers[i - begin].phonemes));
  }
  return errors;
}

}  // namespace regard
