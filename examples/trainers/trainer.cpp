#include "examples/trainers/trainer.h"

#include "tensor/create.h"
#include "tensor/io/file.h"
#include "tensor/threads/parallel.h"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>
#include <sstream>

namespace regard {

namespace {

volatile std::sig_atomic_t stop_asked = 0;

// The first Ctrl-C asks the training to end; a second one ends the program.
void stop_on_interrupt() {
  struct sigaction action {};
  action.sa_handler = [](int) { stop_asked = 1; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, nullptr);
}

constexpr const char* erase_line = "\r\033[K";  // of a terminal

// How far the training is, on standard error: on a terminal a bar that is drawn again and again, elsewhere a few lines.
class Progress {
 public:
  Progress(std::string name, std::int64_t first, std::int64_t total)
      : name_(std::move(name)), first_(first), total_(total), terminal_(isatty(STDERR_FILENO) != 0) {}

  void show(std::int64_t done, double loss) {
    const double seconds = std::chrono::duration<double>(Clock::now() - start_).count();
    const bool last = done == total_;
    if (!last && (terminal_ ? seconds < shown_at_ + 0.1 : 10 * done / total_ == 10 * (done - 1) / total_)) return;
    shown_at_ = seconds;
    const double rate = static_cast<double>(done - first_) / std::max(seconds, 1e-9);
    const int left = static_cast<int>(static_cast<double>(total_ - done) / std::max(rate, 1e-9) + 0.5);
    const std::string facts = fmt::format("{}/{}  {:.3g}/s  {} {}:{:02}  loss {:.4g}", done, total_, rate,
                                          last ? "took" : "left", (last ? static_cast<int>(seconds) : left) / 60,
                                          (last ? static_cast<int>(seconds) : left) % 60, loss);
    if (!terminal_) return fmt::print(stderr, "{}  {}\n", name_, facts);
    constexpr int width = 24;
    const int full = static_cast<int>(width * done / total_);
    std::string bar;
    for (int i = 0; i < width; ++i) bar += i < full ? "█" : "░";
    fmt::print(stderr, "{}{}  {}  {}{}", erase_line, name_, bar, facts, last ? "\n" : "");
    open_ = !last;
  }
  ~Progress() {
    if (open_) fmt::print(stderr, "\n");
  }

 private:
  using Clock = std::chrono::steady_clock;
  std::string name_;
  std::int64_t first_, total_;
  bool terminal_, open_ = false;
  Clock::time_point start_ = Clock::now();
  double shown_at_ = -1;
};

// An argument as it has to be typed.
std::string quoted(const std::string& argument) {
  const auto is_plain = [](unsigned char c) { return std::isalnum(c) || std::strchr("-_./=+:,@%", c); };
  if (!argument.empty() && std::ranges::all_of(argument, is_plain)) return argument;
  std::string result = "'";
  for (const char c : argument) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
}

// What cannot be written is better known before the training than after.
void require_writable(const char* option, const std::filesystem::path& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure || ::access(folder.c_str(), W_OK) != 0)
    fail<IoError>("{}: cannot write to the folder {}", option, folder.string());
}

}  // namespace

Trainer::Trainer(const std::string& name, const std::string& description, const TrainerDefaults& defaults)
    : program_(description), name_(name), description_(description), defaults_(defaults) {
  learning_rate_ = defaults.learning_rate;
  program_.flag("--quick", quick_, "A small setting that takes seconds");
  if (defaults.full_epochs > 0) program_.flag("--full", full_, defaults.full);
  if (defaults.epochs > 0) {
    program_.option(
        "--epochs", epochs_,
        fmt::format("How long to train: so many passes over the data, or batches where each is drawn anew [{}; with "
                    "--quick {}]",
                    defaults.epochs, defaults.quick_epochs),
        0, 100000000);
    program_.option("--lr", learning_rate_, "Learning rate", 1e-9, 1e3);
    program_.text("--save", save_, "Where to store the checkpoint at the end, or after Ctrl-C", "FILE");
    program_.text("--load", load_, "The checkpoint to go on from", "FILE");
  }
  program_.option("--seed", seed_, "Seed of all random numbers");
  program_.option("--threads", threads_, "How many threads; 0: as many as the machine has. The numbers are the same", 0,
                  256);
  program_.text("--out", out_, "Where the pictures go", "DIR");
  program_.flag("--no-plots", no_plots_, "No pictures");
  program_.text("--view", view_, "Where to write a page that shows where attention looks, if there is any", "FILE");
}

int Trainer::main(int argc, char** argv, const std::function<void()>& body) {
  if (!program_.parse(argc, argv)) return program_.exit_code();
  command_ = "./examples/run " + name_;
  for (int i = 1; i < argc; ++i)
    if (std::string(argv[i]) == "--out")
      ++i;  // where the pictures are does not change them
    else
      command_ += " " + quoted(argv[i]);
  if (threads_ > 0) set_thread_count(threads_);
  try {
    if (full_ && quick_) fail<ValueError>("--full and --quick are different settings: take one");
    if (!no_plots_) require_writable("--out", out_);
    if (!save_.empty()) require_writable("--save", std::filesystem::absolute(save_).parent_path());
    if (!view_.empty()) require_writable("--view", std::filesystem::absolute(view_).parent_path());
    body();
    write_viewers();
    if (!pictures_.empty()) write_page();
    return verdict();
  } catch (const std::exception& error) {
    fmt::print(stderr, "{}: {}\n", name_, error.what());
    return 2;
  }
}

void Trainer::train(std::vector<nn::CheckpointPart> state, const std::function<double(std::int64_t)>& step) {
  auto seed = static_cast<std::int64_t>(seed_), fingerprint = fingerprint_;
  const std::vector<nn::CheckpointPart> origin{{"seed", seed}, {"fingerprint", fingerprint}};
  state.push_back({"epoch", epoch_});
  state.insert(state.end(), origin.begin(), origin.end());
  if (!load_.empty()) {
    nn::load(origin, load_, {.strict = false});  // before the rest, whose shapes may follow from the data
    if (fingerprint != fingerprint_) fail<ValueError>("--load: {} was made with other data", load_);
    if (seed != static_cast<std::int64_t>(seed_)) fail<ValueError>("{} was made with --seed {}", load_, seed);
    nn::load(state, load_);
  }
  if (epoch_ > epochs()) fail<ValueError>("{} has done {} epochs; --epochs {} are fewer", load_, epoch_, epochs());
  stop_on_interrupt();
  {
    Progress progress(name_, epoch_, epochs());
    const std::int64_t every = std::max<std::int64_t>(1, epochs() / 10);
    while (epoch_ < epochs() && !stop_asked) {
      if (epoch_ % every == 0 && epoch_ + every / 2 <= epochs()) look();  // and at the end
      const double loss = step(epoch_);
      ++epoch_;
      if (!std::isfinite(loss)) fail<ValueError>("the loss is {} at epoch {}; try a smaller --lr", loss, epoch_);
      progress.show(epoch_, loss);
    }
  }
  std::signal(SIGINT, SIG_DFL);
  trained_ = true;
  look();
  if (interrupted()) fmt::print(stderr, "{}: stopped after {} of {} epochs\n", name_, epoch_, epochs());
  if (!save_.empty()) {
    nn::save(state, save_);
    fmt::print(stderr, "{}: stored in {}\n", name_, save_);
  }
}

void Trainer::picture(const std::string& name, const std::function<plot::Figure()>& figure, const std::string& caption,
                      const std::string& notice) {
  if (no_plots_) return;
  const auto is_taken = [&](const Picture& other) { return other.file == name + ".png"; };
  if (std::ranges::any_of(pictures_, is_taken)) fail<ValueError>("{}: two pictures have the name '{}'", name_, name);
  const std::filesystem::path path = std::filesystem::path(out_) / name_ / (name + ".png");
  const plot::Image image = figure().draw();
  plot::write_png(image, path);
  pictures_.push_back({name + ".png", caption, notice, image.width / 2});
  fmt::print(stderr, "{}{}: {}\n", isatty(STDERR_FILENO) ? erase_line : "", name_, path.string());
}

void Trainer::view(const std::string& name, const nn::ViewerTokens& tokens, Look look) {
  if (no_plots_ && view_.empty()) return;
  viewers_.push_back({name, tokens, std::move(look)});
  Viewer& added = viewers_.back();
  if (trained_ || defaults_.epochs == 0) added.look(added.recording, "");
}

void Trainer::look() {
  for (Viewer& viewer : viewers_) viewer.look(viewer.recording, fmt::format("epoch {}", epoch_));
}

// The first one is FILE of --view FILE; others stand beside it: FILE-name.
void Trainer::write_viewers() {
  if (!view_.empty() && viewers_.empty()) fmt::print(stderr, "{}: --view: there is nothing to look at here\n", name_);
  for (const Viewer& viewer : viewers_) {
    std::vector<std::filesystem::path> files;
    if (!no_plots_) files.push_back(std::filesystem::path(out_) / name_ / (viewer.name + ".html"));
    if (!view_.empty()) {
      std::filesystem::path file = view_;
      if (&viewer != &viewers_.front())
        file.replace_filename(fmt::format("{}-{}{}", file.stem().string(), viewer.name, file.extension().string()));
      files.push_back(file);
    }
    for (const std::filesystem::path& file : files) {
      if (file.has_parent_path()) std::filesystem::create_directories(file.parent_path());
      const nn::ViewerSize size =
          nn::write_viewer(viewer.recording, viewer.tokens, file,
                           {.title = viewer.name == name_ ? name_ : fmt::format("{}: {}", name_, viewer.name),
                            .q_and_k = true,
                            .gradients = true});
      fmt::print(stderr, "{}: {}  {}\n", name_, file.string(), size.to_string());
    }
  }
}

void Trainer::say(const std::string& line) const { fmt::print("{}\n", line); }

void Trainer::at_most(const std::string& measure, double value, double limit) {
  measures_.push_back({measure, fmt::format("≤ {:.4g}", limit), value, value <= limit});
}

void Trainer::at_least(const std::string& measure, double value, double limit) {
  measures_.push_back({measure, fmt::format("≥ {:.4g}", limit), value, value >= limit});
}

int Trainer::verdict() const {
  fmt::print("\n{:<58} {:>9}  {:<9} \n", "measure", "value", "to pass");
  bool passed = true;
  for (const Measure& m : measures_) {
    fmt::print("{:<58} {:>9.4g}  {:<9} {}\n", m.name, m.value, m.requirement, m.passed ? "pass" : "FAIL");
    passed = passed && m.passed;
  }
  fmt::print("{}: {}\n", name_, interrupted() ? "INTERRUPTED" : passed ? "PASS" : "FAIL");
  return interrupted() ? 130 : passed ? 0 : 1;
}

void Trainer::write_page() const {
  std::string page = fmt::format("{}\n{}\n{}\n", name_, description_, command_);
  if (interrupted())
    page += fmt::format("measure\tepochs done before it was stopped\t{}\t{}\tFAIL\n", epoch_, epochs());
  for (const Measure& m : measures_)
    page += fmt::format("measure\t{}\t{:.4g}\t{}\t{}\n", m.name, m.value, m.requirement, m.passed ? "pass" : "FAIL");
  for (const Picture& p : pictures_)
    page += fmt::format("picture\t{}\t{}\t{}\t{}\n", p.file, p.width, p.caption, p.notice);
  if (!no_plots_)
    for (const Viewer& v : viewers_) page += fmt::format("viewer\t{}/{}.html\t{}\n", name_, v.name, v.name);
  write_file(std::filesystem::path(out_) / name_ / "page.tsv", page);
}

std::filesystem::path example_data(const std::string& file) {
  return std::filesystem::exists(file) ? std::filesystem::path(file)
                                       : std::filesystem::path(REGARD_EXAMPLE_DATA) / file;
}

Tensor read_csv(const std::string& file) {
  std::istringstream lines(read_file(example_data(file)));
  std::vector<double> values;
  std::int64_t rows = 0, columns = 0, number = 0;
  for (std::string line; std::getline(lines, line);) {
    ++number;
    std::istringstream cells(line);
    std::int64_t count = 0;
    bool names = false;
    for (std::string cell; std::getline(cells, cell, ',') && !names; ++count) {
      char* end = nullptr;
      values.push_back(std::strtod(cell.c_str(), &end));
      while (std::isspace(static_cast<unsigned char>(*end))) ++end;
      if (cell.empty() || *end != 0 || !std::isfinite(values.back())) {
        if (number > 1) fail<IoError>("{}, line {}: '{}' is not a number", file, number, cell);
        names = true;
        values.clear();
      }
    }
    if (names || count == 0) continue;
    if (columns == 0) columns = count;
    if (count != columns)
      fail<IoError>("{}, line {}: {} numbers, but {} in the lines before", file, number, count, columns);
    ++rows;
  }
  if (rows == 0) fail<IoError>("{}: there are no numbers in it", file);
  return tensor(values, {rows, columns});
}

}  // namespace regard
