// 40. Shifted by one · grade 1 · chapter 12_the_transformer
//
// A decoder is trained on the text "birds love singing" in one pass: at each place it is given the right words so far,
// and is to say the next one. So one text becomes two rows, what the model reads and what it should say. If they are
// not shifted against each other, it learns to repeat what it reads; if they are shifted the wrong way, to say what has
// been. In both cases its loss falls to nearly 0, no error is raised, and it has learned nothing.
//
// Hint: Write the two rows below each other for the text above. What can the model read before the first word is known?
// What should it say after the last one? In C++, row.insert(row.begin(), x) puts x in front, row.push_back(x) behind.
#include "examples/exercises/exercise.h"
#include "nn/text/tokens.h"

using namespace regard;

struct Rows {
  nn::Tokens input, target;  // what the model reads, and what it should say: of the same length
};

// TODO: make both rows of a text. `begin` and `end` are the two tokens that are no words. A token is a number, and
// nn::Tokens is std::vector<std::int64_t>.
Rows teacher_forced(const nn::Tokens& text, std::int64_t begin, std::int64_t end) { return {text, text}; }

// ---- This is what checks it. ----

int main() {
  return exercises::exercise([] {
    const std::int64_t birds = 0, love = 1, singing = 2, begin = 3, end = 4;
    const auto row = [](const nn::Tokens& tokens) { return nn::token_tensor(tokens); };
    const Rows rows = teacher_forced({birds, love, singing}, begin, end);
    exercises::expect(
        "what the model reads, for birds = 0, love = 1, singing = 2, begin = 3, end = 4", row(rows.input),
        row({begin, birds, love, singing}),
        {{row({birds, love, singing}),
          "When the model is used it has to say the first word, too. What does it read then?"},
         {row({birds, love, singing, end}),
          "This is what it should say. What has it read when it says the first word?"},
         {row({begin, birds, love, singing, end}),
          "After end nothing is to be said. So there is no place for it here."},
         {row({birds, love}),
          "That would do if begin and end stood in the text already. It has only words here: put both in yourself."},
         {row({begin, birds, love}),
          "The last word is missing. If the model never reads it, it does not learn that the text ends there."}});
    exercises::expect(
        "what the model should say", row(rows.target), row({birds, love, singing, end}),
        {{row({birds, love, singing}), "Nothing is asked for after the last word. So the model will never stop."},
         {row({begin, birds, love, singing}),
          "At each place it should say what it has just read. That is learned at once."},
         {row({begin, begin, birds, love}), "That is the wrong way: it should say what it has read a place before."},
         {row({end, begin, birds, love}), "That is the wrong way: it should say what it has read a place before."},
         {row({love, singing, end}), "At the first place, after begin, it should say the first word."},
         {row({love, singing, end, end}), "That is shifted by two: after begin comes the first word."},
         {row({begin, birds, love, singing, end}), "Nobody has to say begin: the text starts with it."}});
    const Rows nothing = teacher_forced({}, begin, end);
    exercises::expect("what it reads of a text without words", row(nothing.input), row({begin}));
    exercises::expect("what it should say then", row(nothing.target), row({end}));
  });
}
