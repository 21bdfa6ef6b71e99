#pragma once

#include "examples/plot/figure.h"
#include "examples/program.h"
#include "examples/trainers/checkpoint.h"
#include "examples/trainers/measured.h"
#include "examples/trainers/paths.h"
#include "examples/trainers/verdict.h"
#include "nn/tools/view/viewer.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace regard {

struct TrainerDefaults {
  int epochs = 0, quick_epochs = 0;  // 0: there is nothing to train
  double learning_rate = 0;
  int full_epochs = 0;  // of --full, a larger setting; 0: there is none
  const char* full = "";
  const char* unit = "epoch";  // what one of them is called in viewers: "step" where each reads a batch
};

// What all trainers have in common: options, progress, Ctrl-C, checkpoints, pictures, and the verdict at the end.
//
//   int main(int argc, char** argv) {
//     Trainer trainer("recall", "Learns to look things up",
//                     {.epochs = 2000, .quick_epochs = 200, .learning_rate = 1e-3});
//     return trainer.main(argc, argv, [&] { … });
//   }
//
// The results go to standard output and are the same for the same seed, whatever the number of threads; progress and
// times go to standard error.
class Trainer {
 public:
  Trainer(const std::string& name, const std::string& description, const TrainerDefaults& defaults);

  // To add options of its own, before main().
  Program& options() { return program_; }
  // One that names a file of data, here or in examples/data. main() looks whether it is there.
  void data(const std::string& option, std::string& value, const std::string& help, const std::string& kind);
  // Parses, runs the body, prints the verdict. Returns 0 if every measure passed, 1 if one did not, 2 after an error.
  int main(int argc, char** argv, const std::function<void()>& body);

  // What was asked for. Known inside the body.
  bool quick() const { return quick_; }
  bool full() const { return full_; }
  std::int64_t epochs() const {
    return epochs_.value_or(quick_ ? defaults_.quick_epochs : full_ ? defaults_.full_epochs : defaults_.epochs);
  }
  // Where the same program does something else: "race_far" is "race" with (far) behind what it is about.
  void rename(const std::string& name);
  // A number that follows from data that are in no file: --load refuses a checkpoint that was made with others.
  void set_fingerprint(std::int64_t of_data) { fingerprint_ = of_data; }
  double learning_rate() const { return learning_rate_; }
  std::uint64_t seed() const { return seed_; }

  // Lists that step() adds to, such as curves: they become parts of the checkpoint. To be named before train().
  void measures(const std::vector<MeasuredList>& lists) { measured_.add(lists); }
  // Calls step(epoch), which returns the loss, for each epoch until all are done or Ctrl-C is pressed. `state` is all
  // that changes in it: --load puts it back before, and goes on from there; --save stores it after.
  void train(std::vector<nn::NamedMember> state, const std::function<double(std::int64_t epoch)>& step);
  bool interrupted() const { return epoch_ < epochs() && defaults_.epochs > 0; }
  std::int64_t epochs_done() const { return epoch_; }

  // A picture of the gallery: OUT/trainer/name.png, what it shows, and what there is to notice. The figure is made only
  // if pictures are wanted. Each needs a name of its own.
  void picture(const std::string& name, const std::function<plot::Figure()>& figure, const std::string& caption,
               const std::string& notice);
  // How a picture looks on the way: inside step(), for the picture of that name, which is to follow after train(). The
  // page shows them under a slider, with the epochs that are done.
  void frame(const std::string& name, const std::function<plot::Figure()>& figure);

  // A viewer of the gallery, OUT/trainer/name.html, and FILE of --view FILE: attention of a model in one example. Given
  // before train(), it shows some epochs and the end; given after it, the end. The model is copied, and run(copy)
  // returns a loss. `model` must live until the training ends.
  using Look = std::function<void(nn::Recording& recording, const std::string& step)>;
  template <nn::Module M, class Run>
  void view(const std::string& name, const nn::ViewerTokens& tokens, const M& model, const nn::RecorderOptions& options,
            const Run& run) {
    view(name, tokens, [&model, options, run](nn::Recording& recording, const std::string& step) {
      M copy = nn::clone(model);
      nn::eval(copy);
      nn::RecorderOptions now = options;
      now.step = step;
      const nn::Recorder recorder(recording, copy, now);
      run(copy).backward();
    });
  }
  void view(const std::string& name, const nn::ViewerTokens& tokens, Look look);  // where a model cannot be copied

  // What a viewer shows first, and a few sentences on it; known when the training is over.
  void open_viewer(const std::string& name, nn::ViewerOpening opening);

  void say(const std::string& line) const;                                // to standard output
  void at_most(const std::string& measure, double value, double limit);   // must hold to pass
  void at_least(const std::string& measure, double value, double limit);  // must hold to pass

 private:
  int work(const std::function<void()>& body);  // main, once the options are known
  std::int64_t fingerprint() const;             // of all data
  void agree_to_start() const;
  void agree_to_train(const std::vector<nn::NamedMember>& state) const;

  struct Picture {
    std::string file, caption, notice;
    int width;                                 // in points
    std::vector<std::int64_t> frames_at = {};  // so many epochs were done
  };
  struct Viewer {
    std::string name;
    nn::ViewerTokens tokens;
    Look look;
    nn::Recording recording = {};
    nn::ViewerOpening opening = {};
    bool is_beside_pictures = false;  // it was written there
  };
  void look();          // with all viewers
  void show_watched();  // what --watch has seen
  void write_viewers();
  void check_paths();
  void store(const std::vector<nn::NamedMember>& state, const Origin& origin);
  // False if it fails, which is told, and makes the exit code 2 at the end.
  bool try_to(const std::string& option, const std::function<void()>& write);
  void tell(const std::string& line) const;  // to standard error
  int verdict() const;
  void write_page() const;  // what the gallery needs to know

  Program program_;
  std::string name_, description_, command_;
  TrainerDefaults defaults_;
  bool quick_ = false, full_ = false, no_plots_ = false, verbose_ = false, watch_ = false;
  bool failed_ = false;  // to write something
  std::optional<int> epochs_;
  int threads_ = 0, ranks_ = 1, micro_batches_ = 0, save_every_ = 0, watch_every_ = 25;
  double patience_ = 300;
  double learning_rate_ = 0;
  std::int64_t epoch_ = 0;
  std::uint64_t seed_ = 1;
  std::int64_t fingerprint_ = 0;
  std::string out_ = "out", look_, save_, load_, view_;
  std::vector<std::pair<std::string, const std::string*>> data_;  // options of files of data
  std::optional<nn::TensorFile> loaded_;
  Measured measured_;
  std::vector<Measure> measures_;
  std::vector<Picture> pictures_;
  std::map<std::string, std::vector<std::int64_t>> frames_at_;  // of pictures that are to follow
  std::vector<Viewer> viewers_;
  bool trained_ = false;
};

}  // namespace regard
