#include "examples/trainers/measured.h"
#include "examples/trainers/checkpoint.h"
#include "tests/catch.h"
#include "tests/tensor/folder.h"

using namespace regard;

TEST_CASE("measured: a list comes back from a checkpoint as long as it was") {
  const Folder folder;
  const std::string path = (folder / "a").string();
  const Origin origin{.program = "any", .seed = 1, .fingerprint = 0};
  std::vector<double> steps{1, 2, 3}, before{0.1};
  std::vector<double> none;
  Measured stored;
  stored.add({{"steps", steps}});
  stored.add({{"before", before}, {"none", none}});
  save_checkpoint({{"measured", stored}}, origin, path);
  CHECK(steps == std::vector<double>{1, 2, 3});  // to store it changes nothing

  std::vector<double> read_steps, read_before{7, 7}, read_none{7};
  Measured read;
  read.add({{"steps", read_steps}, {"before", read_before}, {"none", read_none}});
  const nn::TensorFile file = nn::load_safetensors(path);
  read.take_lengths(file, "measured");
  restore({{"measured", read}}, origin, file, path, false);
  CHECK(read_steps == steps);
  CHECK(read_before == before);
  CHECK(read_none.empty());
}
