// Pictures of a training: a file for each.
#include "examples/trainers/trainer.h"
#include "tensor/create.h"
#include "tensor/error.h"
#include "tensor/io/file.h"
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

TEST_CASE("Frames of a picture stand before it on the page, each with its epoch; another purpose is part of its head") {
  const Folder folder;
  const std::filesystem::path own = folder / "toy_seen_twice";
  std::filesystem::create_directories(own);
  for (const char* file : {"old.png", "moves.000007.png", "mine.png"}) write_file(own / file, "from before");
  write_file(own / "page.tsv", "toy\nframe\tmoves.000007.png\tafter 7 epochs\npicture\told.png\t1\t\t\n");
  std::string program = "toy", out = "--out", to = folder.path().string();
  std::array arguments{program.data(), out.data(), to.data()};
  Trainer trainer("toy", "draws", {.epochs = 3, .quick_epochs = 1, .learning_rate = 1});
  const auto figure = [] { return plot::heatmap(ones({2, 2})); };
  const int status = trainer.main(static_cast<int>(arguments.size()), arguments.data(), [&] {
    trainer.rename("toy_seen_twice");
    trainer.train({}, [&](std::int64_t epoch) {
      if (epoch != 0) trainer.frame("moves", figure);
      return 0;
    });
    trainer.picture("moves", figure, "caption", "notice");
    trainer.picture("stands", figure, "caption", "notice");
  });
  CHECK(status == 0);
  const std::string page = read_file(own / "page.tsv");
  CHECK_THAT(page, Catch::Matchers::StartsWith("toy_seen_twice\ndraws (seen_twice)\n"));
  CHECK_THAT(page, Catch::Matchers::ContainsSubstring("frame\tmoves.000001.png\tafter 1 epoch\n"
                                                      "frame\tmoves.000002.png\tafter 2 epochs\n"
                                                      "frame\tmoves.png\tafter 3 epochs\n"
                                                      "picture\tmoves.png\t"));
  CHECK_THAT(page, Catch::Matchers::ContainsSubstring("notice\npicture\tstands.png\t"));
  for (const char* file : {"moves.000001.png", "moves.000002.png", "moves.png", "stands.png"})
    CHECK(std::filesystem::exists(own / file));
  // Pictures of the page before are taken away, and nothing else.
  for (const char* file : {"old.png", "moves.000007.png"}) CHECK_FALSE(std::filesystem::exists(own / file));
  CHECK(std::filesystem::exists(own / "mine.png"));
}
