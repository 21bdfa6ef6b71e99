#pragma once

#include "examples/trainers/pronunciations.h"
#include "nn/optim/adam.h"
#include "nn/recurrent/seq2seq.h"
#include "nn/text/teacher_forcing.h"

namespace regard {

// What a model said of a word, and where it looked.
struct Answer {
  nn::Tokens phonemes;
  Tensor looks;  // (phonemes, letters); undefined without attention
};

// A model that learns to pronounce.
struct Pupil {
  std::string name;
  nn::Seq2Seq model;
  optim::Adam optimizer;

  Pupil(std::string called, nn::RecurrentDecoder decoder, const nn::Seq2SeqOptions& sizes, Generator& g)
      : name(std::move(called)), model(std::move(decoder), sizes, g), optimizer(model) {}

  // One step on pairs, with the right phonemes given up to the one that is to be said. Returns the loss of a phoneme in
  // nats.
  double learn(const nn::PaddedTokens& letters, const nn::TeacherForced& phonemes, double rate);

  // Free-running: the likeliest phoneme is taken at each step, and read in the next, until all words have ended.
  std::vector<Answer> say(const Dictionary& dictionary, const std::vector<std::string>& words) const;

  // The errors in each of many words.
  std::vector<Errors> examine(const Dictionary& dictionary, const std::vector<Word>& words) const;
};

}  // namespace regard
