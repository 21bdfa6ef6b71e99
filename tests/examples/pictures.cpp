// Pictures of a training: a file for each.
#include "examples/trainers/trainer.h"
#include "tensor/create.h"
#include "tensor/error.h"
#include "tests/catch.h"
#include "tests/tensor/folder.h"

#include <array>
#include <filesystem>
#include <string>

using namespace regard;

TEST_CASE("Pictures of a trainer have a file each, in a folder that is made, and no name is taken twice") {
  const Folder folder;
  std::string program = "toy", out = "--out", to = (folder / "a/b").string();
  std::array arguments{program.data(), out.data(), to.data()};
  Trainer trainer("toy", "draws", {});
  const int status = trainer.main(static_cast<int>(arguments.size()), arguments.data(), [&] {
    const auto draw = [&](const std::string& name) {
      trainer.picture(
          name,
          [] {
            return plot::heatmap(ones({2, 2}));
          },
          "caption", "notice");
    };
    for (const char* name : {"first", "second", "third"}) draw(name);
    CHECK_THROWS_WITH(draw("second"), "toy: two pictures have the name 'second'");
  });
  CHECK(status == 0);
  for (const char* name : {"first", "second", "third"}) {
    CAPTURE(name);
    CHECK(std::filesystem::exists(folder / "a/b/toy" / (std::string(name) + ".png")));
  }
}
