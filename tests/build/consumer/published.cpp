// A program of someone who has installed regard: a Llama of others writes the next token.  published FILE.bin
#include "examples/published/all.h"

#include <cstdio>

#include "nn/decoding/generate.h"

int main(int, char** argv) {
  using namespace regard;
  const nn::Llama llama = nn::llama_from(nn::load_llama2c(argv[1]));
  const std::vector<nn::Tokens> written = nn::generate(nn::writer(llama), {{1}}, {.tokens = 1});  // 1 begins a text
  std::printf("after the beginning comes token %lld\n", static_cast<long long>(written[0][0]));
  return written[0].size() == 1 ? 0 : 1;
}
