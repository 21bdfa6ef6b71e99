#include "examples/trainers/trainer.h"

#include "examples/trainers/look.h"
#include "examples/trainers/progress.h"
#include "examples/trainers/terminal.h"
#include "examples/trainers/together.h"
#include "examples/trainers/watched.h"
#include "nn/distributed/agree.h"
#include "tensor/io/file.h"
#include "tensor/threads/flush.h"
#include "tensor/threads/parallel.h"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <cstring>
#include <filesystem>

namespace regard {

namespace {

volatile std::sig_atomic_t stop_asked = 0;

// The first Ctrl-C asks the training to end; a second one ends the program. Whoever ends a job sends SIGTERM, and
// together.h says who sends SIGUSR1.
void stop_on_interrupt() {
  struct sigaction action {};
  action.sa_handler = [](int) { stop_asked = 1; };
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  for (const int signal : {SIGINT, SIGTERM, SIGUSR1}) sigaction(signal, &action, nullptr);
}
void end_on_interrupt() {
  for (const int signal : {SIGINT, SIGTERM}) std::signal(signal, SIG_DFL);
  std::signal(SIGUSR1, SIG_IGN);  // it may come late
}

// An argument as it has to be typed.
std::string quoted(const std::string& argument) {
  const auto is_plain = [](unsigned char c) { return std::isalnum(c) || std::strchr("-_./=+:,@%", c); };
  if (!argument.empty() && std::ranges::all_of(argument, is_plain)) return argument;
  std::string result = "'";
  for (const char c : argument) result += c == '\'' ? "'\\''" : std::string(1, c);
  return result + "'";
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
    program_.option("--save-every", save_every_, "Store it after so many epochs as well; 0: only at the end", 0,
                    100000000);
    program_.text("--load", load_, "The checkpoint to go on from", "FILE");
    program_.option("--ranks", ranks_, "Train with so many programs on this machine, under mpirun", 1, 1024);
    program_.option(
        "--micro-batches", micro_batches_,
        "Parts into which a batch is cut; 0: one for each rank. The numbers depend on it, and not on --ranks", 0,
        65536);
    program_.option("--patience", patience_,
                    "After so many seconds without news ranks ask each other, and after as many again they give up", 1,
                    1e6);
    program_.flag("--watch", watch_, "Look at parameters, activations and heads while they learn, and warn of faults");
    program_.option("--watch-every", watch_every_, "At which steps --watch looks: the first, and every so many", 1,
                    100000000);
    program_.text("--look", look_,
                  "Train nothing: show the graph of the first step, what it costs, and where a gradient comes from",
                  "DIR");
    program_.flag("--verbose", verbose_, "Where a checkpoint does not fit, name all that differs");
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
    if (std::string(argv[i]) == "--out" || std::string(argv[i]) == "--view")
      ++i;  // where the pictures are does not change them
    else
      command_ += " " + quoted(argv[i]);
  distributed::Communicator& ranks = together().ranks;
  try {
    if (ranks_ > 1 && ranks.size() == 1) return start_ranks(ranks_, argc, argv);
    return work(body);
  } catch (const std::exception& error) {
    if (ranks.size() > 1) ranks.end_all(fmt::format("{}: {} (rank {})", name_, error.what(), ranks.rank()), 2);
    tell(error.what());
    return 2;
  }
}

int Trainer::work(const std::function<void()>& body) {
  const FlushSubnormals faster_where_gradients_fade;
  distributed::Communicator& ranks = together().ranks;
  ranks.set_patience(std::chrono::duration<double>(patience_));
  const int cores = thread_count();
  if (threads_ > 0)
    set_thread_count(threads_);
  else if (ranks.size() > 1)
    set_thread_count(std::max(1, cores / ranks.size()));
  if (!ranks.first()) {  // only rank 0 prints, draws and saves
    no_plots_ = true;
    view_.clear();
    if (!std::freopen("/dev/null", "w", stdout)) fail<IoError>("cannot open /dev/null");
  }
  if (!look_.empty() && ranks.size() > 1) fail<ValueError>("--look: one program looks, take --ranks 1");
  if (full_ && quick_) fail<ValueError>("--full and --quick are different settings: take one");
  agree_to_start();
  check_paths();
  const std::int64_t stored = loaded_ ? micro_batches_of(*loaded_) : 0;
  together().micro_batches = micro_batches_ > 0 ? micro_batches_ : stored > 0 ? stored : ranks.size();
  if (together().micro_batches < ranks.size())
    fail<ValueError>("{} micro-batches are too few for {} ranks: each needs one", together().micro_batches,
                     ranks.size());
  if (ranks.first()) watching() = {watch_, watch_every_, name_, {}};
  looking().folder = look_;
  try {
    body();
  } catch (const Looked&) {
    return 0;
  }
  show_watched();
  write_viewers();
  if (!pictures_.empty()) try_to("--out", [&] { write_page(); });
  return verdict();
}

void Trainer::rename(const std::string& name) {
  if (name.starts_with(name_ + "_")) description_ += " (" + name.substr(name_.size() + 1) + ")";
  name_ = name;
}

void Trainer::data(const std::string& option, std::string& value, const std::string& help, const std::string& kind) {
  program_.text(option, value, help, kind);
  data_.push_back({option, &value});
}

void Trainer::check_paths() {
  for (const auto& [option, file] : data_)
    if (!file->empty()) require_readable(option, example_data(*file, option).string());
  if (!no_plots_) require_writable_folder("--out", out_);
  if (!look_.empty()) require_writable_folder("--look", look_);
  distributed::Communicator& ranks = together().ranks;
  if (!save_.empty() && ranks.first()) require_writable("--save", save_);
  if (!view_.empty()) require_writable("--view", view_);
  if (load_.empty()) return;
  std::string bytes;  // the file may be on the machine of rank 0 only
  if (ranks.first()) {
    require_readable("--load", load_);
    bytes = read_file(load_);
  }
  distributed::broadcast(ranks, bytes);
  loaded_ = nn::parse_safetensors(bytes, load_);
}

void Trainer::tell(const std::string& line) const {
  if (together().ranks.first()) note_beside_progress(fmt::format("{}: {}", name_, line));
}

bool Trainer::try_to(const std::string& option, const std::function<void()>& write) {
  try {
    write();
    return true;
  } catch (const std::exception& error) {
    tell(option + ": " + error.what());
    failed_ = true;
    return false;
  }
}

std::int64_t Trainer::fingerprint() const {
  return fingerprint_of(fmt::format("{} {}", fingerprint_, fingerprint_of_data()));
}

// All ranks must do the same: the same program with the same options, and then on the same data, from the same state.
void Trainer::agree_to_start() const {
  distributed::Communicator& ranks = together().ranks;
  distributed::require_same(ranks, "how the program was built", distributed::build_of_this_program());
  distributed::require_same(ranks, "the options", command_);
}

void Trainer::agree_to_train(const std::vector<nn::NamedMember>& state) const {
  distributed::Communicator& ranks = together().ranks;
  distributed::require_same(ranks, "the data", fmt::format("{}", fingerprint()));
  distributed::broadcast(ranks, state);
}

void Trainer::train(std::vector<nn::NamedMember> state, const std::function<double(std::int64_t)>& step) {
  if (!no_plots_) require_writable_folder("--out", std::filesystem::path(out_) / name_);
  state.push_back({"measured", measured_});
  state.push_back({"epoch", epoch_});
  const Origin origin{name_, seed_, fingerprint(), together().micro_batches};
  if (loaded_) {
    measured_.take_lengths(*loaded_, "measured");
    restore(state, origin, *loaded_, load_, verbose_);
    loaded_.reset();
  }
  agree_to_train(state);
  if (epoch_ > epochs())
    fail<ValueError>("--load: {} has done {} epochs; --epochs {} are fewer", load_, epoch_, epochs());
  stop_on_interrupt();
  {
    Progress progress(name_, epoch_, epochs());
    const std::int64_t every = std::max<std::int64_t>(1, epochs() / 10);
    while (epoch_ < epochs() && !distributed::any(together().ranks, stop_asked != 0)) {
      if (epoch_ % every == 0 && epoch_ + every / 2 <= epochs()) look();  // and at the end
      const double loss = step(epoch_);
      ++epoch_;
      if (!std::isfinite(loss)) fail<ValueError>("the loss is {} at epoch {}; try a smaller --lr", loss, epoch_);
      if (together().ranks.first()) progress.show(epoch_, loss, together().ranks.size() > 1 ? together().samples : 0);
      if (!save_.empty() && save_every_ > 0 && epoch_ % save_every_ == 0 && epoch_ < epochs()) store(state, origin);
    }
  }
  end_on_interrupt();
  trained_ = true;
  look();
  if (interrupted()) tell(fmt::format("stopped after {} of {} epochs", epoch_, epochs()));
  if (save_.empty()) return;
  store(state, origin);
  if (!failed_) tell("stored in " + save_);
}

void Trainer::store(const std::vector<nn::NamedMember>& state, const Origin& origin) {
  distributed::Communicator& ranks = together().ranks;
  const auto save = [&] { save_checkpoint(state, origin, save_); };
  // What was trained for hours is not lost because its folder is gone.
  const auto save_elsewhere = [&] {
    const std::string file = fmt::format("{}.{}.safetensors", name_, ::getpid());
    const std::string path = (std::filesystem::temp_directory_path() / file).string();
    save_checkpoint(state, origin, path);
    tell("a copy is in " + path);
  };
  if (ranks.first() && !try_to("--save", save)) try_to("--save", save_elsewhere);
  distributed::any(ranks, false);  // nobody goes on before it is there
}

void Trainer::say(const std::string& line) const { fmt::print("{}\n", line); }

void Trainer::at_most(const std::string& measure, double value, double limit) {
  measures_.push_back({measure, fmt::format("≤ {:.4g}", limit), value, value <= limit});
}

void Trainer::at_least(const std::string& measure, double value, double limit) {
  measures_.push_back({measure, fmt::format("≥ {:.4g}", limit), value, value >= limit});
}

int Trainer::verdict() const {
  fmt::print("\n{}", table_of(measures_, terminal::columns(STDOUT_FILENO)));
  const bool passed = std::ranges::all_of(measures_, &Measure::passed);
  fmt::print("{}: {}\n", name_, interrupted() ? "INTERRUPTED" : passed ? "PASS" : "FAIL");
  int exit_code = failed_ ? 2 : interrupted() ? 130 : passed ? 0 : 1;
  distributed::broadcast(together().ranks, std::as_writable_bytes(std::span(&exit_code, 1)));  // that of rank 0
  return exit_code;
}

}  // namespace regard
